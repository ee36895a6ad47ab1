import type { SourceMutants, SourcePatch } from './mutant.js';

function code(name: string, find: string, replace: string): SourcePatch {
  return { file: `lib/queue/${name}.ts`, find, replace };
}

/** What stands above every backend. */
export const queueMutants: SourceMutants = {
  'a malformed item strands the rest of its batch': {
    patches: [
      code(
        'receiver',
        'else answers.push(this.#malformed(item, made.error, outcomes.get(index)));',
        'else return [...answers, this.#malformed(item, made.error, outcomes.get(index))];',
      ),
    ],
    caughtBy: {
      suite: 'memory',
      cases: ['malformed: in a batch the good jobs come, in order, and each bad item is told'],
    },
  },
  'a malformed item is told and left where it is': {
    patches: [
      code(
        'receiver',
        'const outcomes = await this.#backend.settle(settlements);',
        "const outcomes = settlements.map((): SettleOutcome => ({ status: 'applied' }));",
      ),
    ],
    caughtBy: { suite: 'sqlite', cases: ['malformed: a bad item frees its unique key'] },
  },
  'an envelope of a newer version is taken for malformed': {
    patches: [
      code(
        'receiver',
        "  if (decoded?.kind === 'newer') {\n    return returned(item, NEWER_VERSION_DELAY_SECONDS);\n  }\n  if (decoded?.kind !== 'malformed') return null;",
        "  if (decoded?.kind === 'newer') {\n    return { operation: 'ack', receipt: item.receipt, followUps: [] };\n  }\n  if (decoded?.kind !== 'malformed') return null;",
      ),
    ],
    caughtBy: {
      suite: 'memory',
      cases: ['malformed: an envelope of a newer version is given back, not taken out'],
    },
  },
  'an error of the backend is taken for an empty queue': {
    patches: [
      code(
        'pop-loop',
        'await backend.reserve(queues, limit)',
        'await backend.reserve(queues, limit).catch(() => [])',
      ),
    ],
    caughtBy: {
      file: 'test/worker/lost-server.test.ts',
      tests: ['an error of the backend propagates out of processNext'],
    },
  },
  'an ack that is sent again stores the next step again': {
    patches: [code('settler', '      this.#continued.add(job);\n', '')],
    caughtBy: {
      file: 'test/queue/repeated-ack.test.ts',
      tests: ['an ack that was refused and is sent again stores the next step of its chain once'],
    },
  },
  'an ack is sent although its follow-up was not stored': {
    patches: [code('settler', "if ('error' in outcome) throw outcome.error;", '')],
    caughtBy: {
      file: 'test/worker/held-without-lease.test.ts',
      tests: ['a job whose follow-up could not be stored comes again, although its worker stays connected'],
    },
  },
  'a stale settlement is taken for applied': {
    patches: [
      code(
        'settler',
        "if (outcome.status === 'applied') return;",
        "if (outcome.status === 'applied' || outcome.status === 'stale') return;",
      ),
    ],
    caughtBy: { suite: 'sqlite', cases: ['stale: ack after a reclaim is stale and changes nothing'] },
  },
  'a push of unknown outcome is taken for stored': {
    patches: [
      code(
        'pusher',
        "  if (outcome.status === 'duplicate') return null;\n",
        "  if (outcome.status === 'duplicate') return null;\n  if (outcome.status === 'unknown') return push.id;\n",
      ),
    ],
    caughtBy: {
      suite: 'redis',
      cases: ['silence: a push whose request is lost rejects, and never as if nothing had been sent'],
    },
  },
};
