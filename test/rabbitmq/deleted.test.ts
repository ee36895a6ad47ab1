import type { Channel } from 'amqplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deadQueueName } from '../../lib/backends/rabbitmq/topology/index.js';
import type { RabbitMqOptions } from '../../lib/rabbitmq.js';
import { waitFor } from '../support/eventually.js';
import { newJob } from '../support/new-job.js';
import { openRabbitMq, plainChannel, settleOne } from '../support/rabbitmq-queue.js';
import { newVhost, type TestVhost } from '../support/rabbitmq-servers.js';
import { isTested } from '../support/servers.js';

const FAILURE = { cause: 'fatal', error: 'Error', message: '', stack: null } as const;

/** What somebody deletes, with a job that needs it afterwards. */
const deletions: readonly [what: string, options: RabbitMqOptions, delaySeconds: number, parts: string[]][] =
  [
    ['the queue of an undelayed job', {}, 0, ['q']],
    ['the queue behind the ladder', {}, 2, ['q']],
    ['the queue behind a hold queue', { delays: 'hold' }, 1, ['q']],
    ['a hold queue', { delays: 'hold' }, 1, ['q.deferred.1000']],
    ['the tier that a job enters by', {}, 2, ['q.delay.2s']],
    ['queue and tier', {}, 3, ['q', 'q.delay.1s', 'q.delay.2s']],
  ];

/** What is on the broker's queue, and goes back to it. */
async function arrivedOn(channel: Channel, queue: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for (;;) {
    const message = await channel.get(queue);
    if (message === false) break;
    ids.add(String(message.properties.headers?.['id']));
  }
  channel.nackAll(true);
  return ids;
}

describe.runIf(isTested('rabbitmq'))('what was deleted under a process', () => {
  let vhost: TestVhost;
  beforeAll(async () => {
    vhost = await newVhost();
  });
  afterAll(() => vhost.remove());

  it.each(deletions)(
    '%s is declared again, and the job arrives',
    async (what, options, delaySeconds, parts) => {
      const queuePrefix = `test-${what.replaceAll(' ', '-')}-`;
      const settings = { ...options, queuePrefix };
      const pusher = await openRabbitMq(vhost.url, settings);
      const channel = await plainChannel(vhost.url);
      const [before] = await pusher.store([newJob({ queue: 'q', delaySeconds })]);
      expect(before).toEqual({ status: 'applied' });
      for (const part of parts) await channel.deleteQueue(`${queuePrefix}${part}`);

      const job = newJob({ queue: 'q', delaySeconds });
      expect(await pusher.store([job])).toEqual([{ status: 'applied' }]);
      // Nobody else is there to declare the queue: a worker that comes early would hide that it was missing.
      await waitFor('the job', async () => (await arrivedOn(channel, `${queuePrefix}q`)).has(job.id));
    },
  );

  it('an exchange of the ladder costs the push that met it, whose outcome is unknown, and no other', async () => {
    const pusher = await openRabbitMq(vhost.url, { queuePrefix: 'test-exchange-' });
    const channel = await plainChannel(vhost.url);
    await pusher.store([newJob({ queue: 'q', delaySeconds: 2 })]);
    await channel.deleteExchange('test-exchange-q.delay.2s.in');
    const [delayed, direct] = await pusher.store([
      newJob({ queue: 'q', delaySeconds: 2 }),
      newJob({ queue: 'q' }),
    ]);
    expect(delayed?.status).toBe('unknown');
    expect(delayed).toHaveProperty('error.message', expect.stringContaining('NOT_FOUND'));
    expect(direct).toEqual({ status: 'applied' });
    expect(await pusher.store([newJob({ queue: 'q', delaySeconds: 2 })])).toEqual([{ status: 'applied' }]);
  });

  it('the dead letters are declared again for the next that fails', async () => {
    const queuePrefix = 'test-dead-';
    const backend = await openRabbitMq(vhost.url, { queuePrefix });
    const channel = await plainChannel(vhost.url);
    const jobs = [newJob({ queue: 'q' }), newJob({ queue: 'q' })];
    await backend.store(jobs);
    const [first, second] = await backend.reserve(['q'], 2);
    await settleOne(backend, { operation: 'fail', receipt: first?.receipt, failure: FAILURE });
    await channel.deleteQueue(deadQueueName(`${queuePrefix}q`));
    const failed = await settleOne(backend, {
      operation: 'fail',
      receipt: second?.receipt,
      failure: FAILURE,
    });
    expect(failed).toEqual({ status: 'applied' });
    const { jobs: kept } = await backend.listFailed({ queue: 'q', limit: 10 });
    expect(kept.map(({ id }) => id)).toEqual([jobs[1]?.id]);
  });

  it('deliveries of other queues are not lost with a queue that is deleted', async () => {
    const queuePrefix = 'test-others-';
    const backend = await openRabbitMq(vhost.url, { queuePrefix });
    const channel = await plainChannel(vhost.url);
    await backend.store([newJob({ queue: 'kept' }), newJob({ queue: 'q' })]);
    const held = await backend.reserve(['kept', 'q'], 2);
    await channel.deleteQueue(`${queuePrefix}q`);
    expect(await backend.reserve(['q', 'kept'], 1)).toEqual([]);
    expect(held.map(({ lost }) => lost?.aborted)).toEqual([false, true]);
    const acks = held.map(({ receipt }) => ({ operation: 'ack', receipt, followUps: [] }) as const);
    expect(await backend.settle(acks)).toEqual([{ status: 'applied' }, { status: 'stale' }]);
    expect(await backend.reserve(['q', 'kept'], 1)).toEqual([]);
  });
});
