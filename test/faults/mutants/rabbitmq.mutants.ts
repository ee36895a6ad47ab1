import type { SourceMutants, SourcePatch } from './mutant.js';

function code(name: string, find: string, replace: string): SourcePatch {
  return { file: `lib/backends/rabbitmq/${name}.ts`, find, replace };
}

function caughtBy(...cases: [string, ...string[]]): SourceMutants[string]['caughtBy'] {
  return { suite: 'rabbitmq, ladder', cases };
}

export const rabbitMqMutants: SourceMutants = {
  'rabbitmq acks what it gets before it runs': {
    patches: [
      code(
        'delivery-channel',
        'this.channel.get(queue, { noAck: false })',
        'this.channel.get(queue, { noAck: true })',
      ),
      code(
        'delivery-channel',
        'this.settled(message, () => this.channel.ack(message))',
        'this.settled(message, () => {})',
      ),
      code(
        'delivery-channel',
        'this.settled(message, () => this.channel.nack(message, false, true))',
        'this.settled(message, () => {})',
      ),
    ],
    caughtBy: caughtBy('lost: a delivery whose channel was closed is told so, and comes again'),
  },
  'rabbitmq acks what it is sent before it runs': {
    patches: [
      code(
        'consume-queue',
        'channel.consume(name, take, { noAck: false })',
        'channel.consume(name, take, { noAck: true })',
      ),
      code(
        'delivery-channel',
        'this.settled(message, () => this.channel.ack(message))',
        'this.settled(message, () => {})',
      ),
    ],
    caughtBy: caughtBy('consume: a consumer that was cut off is told, and what it held comes again'),
    judged: { cell: 'process/worker-killed', target: 'rabbitmq', seed: 1, rules: ['lost'] },
  },
  'rabbitmq takes a queue that just starts for trouble': {
    patches: [
      code('declared-queue', 'if (isSecond || !(isDeleted || isEnded))', 'if (isSecond || !isDeleted)'),
    ],
    caughtBy: {
      file: 'test/rabbitmq/starting-queue.test.ts',
      backend: 'rabbitmq',
      tests: ['is asked again by a reserve, whose connection the broker ended over it'],
    },
  },
  'rabbitmq acks all deliveries up to the one that is settled': {
    patches: [code('delivery-channel', 'this.channel.ack(message))', 'this.channel.ack(message, true))')],
    caughtBy: caughtBy('lost: an ack settles no delivery that came before it'),
  },
  'rabbitmq settles on whatever channel is open': {
    patches: [
      code(
        'delivery-channel',
        'export class DeliveryChannel {',
        'let newest: Channel | undefined;\n\nexport class DeliveryChannel {',
      ),
      code(
        'delivery-channel',
        "    channel.on('error', (error) => (this.lastError = error));",
        "    newest = channel;\n    channel.on('error', (error) => (this.lastError = error));",
      ),
      code(
        'delivery-channel',
        'this.settled(message, () => this.channel.ack(message))',
        'this.settled(message, () => newest?.ack(message))',
      ),
      code(
        'delivery-channel',
        'if (this.closed || !this.unsettled.delete(message)) return false;',
        'if (!this.unsettled.delete(message)) return false;',
      ),
      code(
        'rabbitmq-receipt',
        'if (this.claimed || this.channel.closed) return false;',
        'if (this.claimed) return false;',
      ),
    ],
    caughtBy: caughtBy('lost: ack after its channel was closed is stale and reaches nobody'),
  },
  'rabbitmq takes a publish without a confirmation for stored': {
    patches: [
      code(
        'confirmed-writes',
        'setTimeout(() => write.end(overtime(write)), leftMs)',
        "setTimeout(() => write.end({ status: 'confirmed' }), leftMs)",
      ),
      code(
        'confirmed-writes',
        "if (error !== null) return { status: 'unknown', cause: this.lastError ?? error };",
        '',
      ),
      code(
        'confirmed-writes',
        "performance.now() <= write.message.confirmBy ? { status: 'confirmed' } : overtime(write)",
        "{ status: 'confirmed' }",
      ),
    ],
    caughtBy: caughtBy(
      'silence: a push whose request is lost rejects, and never as if nothing had been sent',
      'silence: a release whose request is lost is unknown, and the job comes again',
    ),
  },
  'rabbitmq acks a job whose place was not confirmed': {
    patches: [
      code('settle-jobs', 'if (failed !== undefined) return notReplaced(operation, failed.error);', ''),
    ],
    caughtBy: caughtBy('silence: a release whose request is lost is unknown, and the job comes again'),
  },
  'rabbitmq acks a job before it publishes it again': {
    patches: [
      code(
        'settle-jobs',
        '  let isStored = false;\n',
        '  let isStored = false;\n  const acked = channel.ack(message);\n',
      ),
      code('settle-jobs', 'if (!isStored) channel.requeue(message);', ''),
      code('settle-jobs', 'if (channel.ack(message)) return APPLIED;', 'if (acked) return APPLIED;'),
    ],
    caughtBy: caughtBy('silence: a release whose request is lost is unknown, and the job comes again'),
  },
  'rabbitmq releases a job and keeps it': {
    patches: [
      code(
        'settle-jobs',
        'if (channel.ack(message)) return APPLIED;',
        'if (channel.requeue(message)) return APPLIED;',
      ),
    ],
    caughtBy: caughtBy('clear: a job that was released is removed too'),
  },
  'rabbitmq repeats a push whose confirmation did not come': {
    patches: [
      code('send-message', "again: published.status !== 'unknown' };", 'again: true };'),
      code(
        'send-message',
        'if (!first.again || performance.now() >= giveUpAt || !isWanted()) return first.sent;',
        'if (!first.again) return first.sent;',
      ),
    ],
    caughtBy: caughtBy('silence: a push whose answer is lost rejects, and never as if nothing had been sent'),
  },
  'rabbitmq drops a job that is given up on': {
    patches: [
      code('replacements', 'if (!failedJobs) return [];', 'if (failedJobs || !failedJobs) return [];'),
    ],
    caughtBy: caughtBy('failed: a failed job is kept as it was, with what went wrong and when'),
  },
  'rabbitmq forgets the attempts of a released job': {
    patches: [
      code(
        'topology/message-headers',
        "attempts: changes.attempts ?? kept['attempts'],",
        "attempts: kept['attempts'],",
      ),
    ],
    caughtBy: caughtBy('attempts: a release adds 1 to attempts and 0 to deferrals'),
  },
  'rabbitmq releases at once what has a delay': {
    patches: [code('replacements', 'delaySeconds: settlement.delaySeconds,', 'delaySeconds: 0,')],
    caughtBy: caughtBy('delays: a released job waits for its delay'),
  },
  'rabbitmq loses the follow-ups of an ack': {
    patches: [
      code(
        'replacements',
        'return settlement.followUps.map((job) => messageOf(job, maxPriority));',
        'return [];',
      ),
    ],
    caughtBy: {
      file: 'test/rabbitmq/follow-ups.test.ts',
      backend: 'rabbitmq',
      tests: [
        'stores each of them in its queue, and takes the job that it ends',
        'gives the job back where a follow-up is not confirmed',
      ],
    },
  },
};
