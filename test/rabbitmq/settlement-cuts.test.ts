import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RabbitMqBackend } from '../../lib/backends/rabbitmq/rabbitmq.backend.js';
import type { ReservedItem, Settlement } from '../../lib/contract/index.js';
import type { AmqpProxy } from '../support/amqp-proxy.js';
import { waitFor } from '../support/eventually.js';
import { newJob } from '../support/new-job.js';
import { drain, nextItem, openRabbitMq, openWire, settleOne } from '../support/rabbitmq-queue.js';
import { newVhost, rabbitmqctl, type TestVhost } from '../support/rabbitmq-servers.js';
import { isTested } from '../support/servers.js';

const ROUNDS = 50;

const failure = { cause: 'fatal', error: 'Error', message: 'no', stack: null } as const;
const operations: { readonly [operation: string]: (item: ReservedItem) => Settlement } = {
  release: ({ receipt }) => ({ operation: 'release', receipt, changes: { attempts: 1 }, delaySeconds: 0 }),
  defer: ({ receipt }) => ({ operation: 'defer', receipt, changes: { deferrals: 1 }, delaySeconds: 0 }),
  fail: ({ receipt }) => ({ operation: 'fail', receipt, failure }),
};

interface Cut {
  readonly when: string;
  readonly arm: (wire: AmqpProxy) => Promise<void>;
  /** What the worker is told. After the confirmation it cannot know that the ack was lost. */
  readonly told: readonly string[];
  /** Whether the delivery's own connection is cut; publishes have another, and then it goes back over the one that lives. */
  readonly takesDelivery: boolean;
  /** How often each job is there afterwards. */
  readonly copies: number;
}

const cuts: readonly Cut[] = [
  {
    when: 'between the confirmation and the settlement',
    arm: (wire) =>
      wire.script(
        { from: 'client', method: 'basic.publish', fate: 'pass' },
        { from: 'server', method: 'basic.ack', fate: 'pass' },
        { from: 'client', method: 'basic.ack', fate: 'cut' },
      ),
    told: ['applied', 'unknown'],
    takesDelivery: true,
    copies: 2,
  },
  {
    when: 'before the publish',
    arm: (wire) => wire.lose('request'),
    told: ['unknown'],
    takesDelivery: false,
    copies: 1,
  },
  {
    when: 'before the confirmation',
    arm: (wire) => wire.lose('answer'),
    told: ['unknown'],
    takesDelivery: false,
    copies: 2,
  },
];

describe.runIf(isTested('rabbitmq'))('a settlement in two steps', () => {
  let vhost: TestVhost;
  beforeAll(async () => {
    vhost = await newVhost();
  });
  afterAll(() => vhost.remove());

  async function unacknowledged(queue: string): Promise<number> {
    const lines = await rabbitmqctl('list_queues', '-p', vhost.name, 'name', 'messages_unacknowledged');
    const [line] = lines.split('\n').filter((text) => text.startsWith(`test-${queue}\t`));
    return Number(line?.split('\t')[1]);
  }

  const cases = Object.keys(operations).flatMap((operation) => cuts.map((cut) => ({ operation, ...cut })));

  it.concurrent.for(cases)(
    `$operation, ${ROUNDS} times cut $when: nothing is lost, nothing stays held`,
    { timeout: 90_000 },
    async ({ operation, arm, told, takesDelivery, copies, when }, { onTestFinished }) => {
      const queue = `${operation}-${when.replaceAll(' ', '-')}`;
      const wire = await openWire(vhost.url, onTestFinished);
      const backend = await openRabbitMq(wire.through(vhost.url), { queuePrefix: 'test-' }, onTestFinished);
      const direct = await openRabbitMq(vhost.url, { queuePrefix: 'test-' }, onTestFinished);
      // The copy of a failed job is among the dead letters.
      const onQueue = operation === 'fail' ? 1 : copies;
      const seen = new Map<string, number>();
      const look = async (): Promise<void> => {
        for (const [id, times] of await drain(direct, queue)) seen.set(id, (seen.get(id) ?? 0) + times);
      };
      for (let round = 0; round < ROUNDS; round += 1) {
        const { item, id } = await delivered(backend, queue);
        const cut = arm(wire);
        const { status } = await settleOne(backend, operations[operation]?.(item) as Settlement);
        expect(told).toContain(status);
        await cut;
        if (takesDelivery) await waitFor('the delivery to be lost', () => item.lost?.aborted === true);
        else expect(item.lost?.aborted).toBe(false);
        await waitFor(`${onQueue} × the job of round ${round}`, async () => {
          await look();
          return (seen.get(id) ?? 0) >= onQueue;
        });
      }
      await look();
      expect([...seen.values()]).toEqual(Array.from({ length: ROUNDS }, () => onQueue));
      const failed = await direct.listFailed({ queue, limit: 1_000 });
      const dead = operation === 'fail' && copies === 2 ? [...seen.keys()] : [];
      expect(failed.jobs.map(({ id }) => id)).toEqual(dead);
      expect(await unacknowledged(queue)).toBe(0);
    },
  );
});

/** Pushes a job and takes it. */
async function delivered(
  backend: RabbitMqBackend,
  queue: string,
): Promise<{ readonly item: ReservedItem; readonly id: string }> {
  const job = newJob({ queue });
  const [stored] = await backend.store([job]);
  if (stored?.status !== 'applied') throw new Error(`Expected the job to be stored, came ${stored?.status}.`);
  return { item: await nextItem(backend, queue), id: job.id };
}
