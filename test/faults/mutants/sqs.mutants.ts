import type { SourceMutants, SourcePatch } from './mutant.js';

function code(name: string, find: string, replace: string): SourcePatch {
  return { file: `lib/backends/sqs/${name}.ts`, find, replace };
}

function caughtBy(...cases: [string, ...string[]]): SourceMutants[string]['caughtBy'] {
  return { suite: 'sqs', cases };
}

export const sqsMutants: SourceMutants = {
  'sqs deletes a message before its job runs': {
    patches: [
      code(
        'receive',
        '  const receipt = new SqsReceipt(queue, ReceiptHandle, askedAtMs, received);\n',
        "  const receipt = new SqsReceipt(queue, ReceiptHandle, askedAtMs, received);\n  await lines.remove({ receipt, action: 'reserve()' });\n",
      ),
    ],
    caughtBy: caughtBy('leases: a reserved job is nobody else’s until its lease ends'),
  },
  'sqs ignores that entries of a batch failed': {
    patches: [
      code('batch-answers', 'if (failure !== undefined) return failedEntry(failure, action, queue);', ''),
      code(
        'batch-answers',
        'if (applied.has(id)) return',
        'if (applied.has(id) || failure !== undefined) return',
      ),
    ],
    caughtBy: caughtBy(
      'refusal: pushMany() answers for each entry when one is refused',
      'refusal: a settlement that is refused is named, and the others of its batch are applied',
    ),
  },
  'sqs takes a settlement without an answer for applied': {
    patches: [
      code(
        'settle-lines',
        "return { status: error.code === 'QUEUE_SERVER_REFUSED' ? 'refused' : 'unknown', error };",
        "return error.code === 'QUEUE_SERVER_REFUSED' ? { status: 'refused', error } : { status: 'applied' };",
      ),
    ],
    caughtBy: caughtBy('silence: a release whose request is lost is unknown, and the job comes again'),
  },
  'sqs lets the SDK send a push again': {
    patches: [code('sending-once', 'throw new RequestFailed(true, error);', 'throw error;')],
    caughtBy: caughtBy('silence: a push whose answer is lost rejects, and never as if nothing had been sent'),
  },
  'sqs forgets the delay of a release': {
    patches: [
      code(
        'settle-jobs',
        'return lines.hide({ receipt, seconds: hidden.seconds, action: `${operation}()` });',
        'return lines.hide({ receipt, seconds: 0, action: `${operation}()` });',
      ),
    ],
    caughtBy: caughtBy('delays: a released job waits for its delay'),
  },
  'sqs settles the neighbour of an entry in its batch': {
    patches: [
      code(
        'settle-lines',
        '        Entries: entries.map(({ receipt }, place) => ({\n          Id: idOf(place),\n          ReceiptHandle: receipt.receiptHandle,\n        })),\n      }),\n    );\n  }\n\n  private sendHidings',
        '        Entries: entries.map((_, place) => ({\n          Id: idOf(place),\n          ReceiptHandle: entries.at(place - 1)?.receipt.receiptHandle,\n        })).slice(0, 1),\n      }),\n    );\n  }\n\n  private sendHidings',
      ),
    ],
    caughtBy: caughtBy('concurrency: acks at the same time are all applied'),
  },
  'sqs loses the next job of a chain': {
    patches: [
      {
        file: 'lib/queue/settler.ts',
        find: '      await this.#storeBeforeAck(followUps);\n',
        replace: '',
      },
    ],
    caughtBy: caughtBy('chain: each job is there when the one before it was acknowledged, and not before'),
  },
};
