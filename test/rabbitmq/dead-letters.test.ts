import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RabbitMqBackend } from '../../lib/backends/rabbitmq/rabbitmq.backend.js';
import type { RabbitMqOptions } from '../../lib/rabbitmq.js';
import { waitFor } from '../support/eventually.js';
import { idOf, newJob } from '../support/new-job.js';
import { drain, openRabbitMq, plainChannel, settleOne } from '../support/rabbitmq-queue.js';
import { newVhost, type TestVhost } from '../support/rabbitmq-servers.js';
import { isTested } from '../support/servers.js';

const FAILURE = { cause: 'exhausted', error: 'Error', message: 'no', stack: null } as const;
const all = { queue: 'q', limit: 100 };

describe.runIf(isTested('rabbitmq'))('dead letters', () => {
  let vhost: TestVhost;
  beforeAll(async () => {
    vhost = await newVhost();
  });
  afterAll(() => vhost.remove());

  const open = (options: RabbitMqOptions): Promise<RabbitMqBackend> => openRabbitMq(vhost.url, options);

  /** Ids of jobs that failed, oldest first. */
  async function failedJobs(backend: RabbitMqBackend, count: number): Promise<string[]> {
    const jobs = Array.from({ length: count }, () => newJob({ queue: 'q' }));
    await backend.store(jobs);
    for (const { receipt } of await backend.reserve(['q'], count)) {
      await settleOne(backend, { operation: 'fail', receipt, failure: FAILURE });
    }
    return jobs.map(({ id }) => id);
  }

  it('stay where they are, in their order, however often they are looked at', async () => {
    const backend = await open({ queuePrefix: 'test-order-' });
    const ids = await failedJobs(backend, 5);
    const seen = await Promise.all([
      backend.listFailed(all),
      backend.findFailed(ids[3] as string, 'q'),
      backend.listFailed({ ...all, limit: 2 }),
      backend.listFailed(all),
    ]);
    const [whole, found, two, again] = seen;
    expect(whole.jobs.map(({ id }) => id)).toEqual(ids);
    expect(found?.id).toBe(ids[3]);
    expect(two.jobs.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(again.jobs.map(({ id }) => id)).toEqual(ids);
    expect(await backend.count('q')).toMatchObject({ ready: 0, failed: 5 });
  });

  it('a retry of all ends although what is retried fails at once again', async () => {
    const backend = await open({ queuePrefix: 'test-again-' });
    const worker = await open({ queuePrefix: 'test-again-' });
    await failedJobs(backend, 20);
    const consumption = await worker.consume('q', {
      prefetch: 1,
      onItem: ({ receipt }) => void settleOne(worker, { operation: 'fail', receipt, failure: FAILURE }),
      onLost: () => undefined,
    });
    expect(await backend.retryAllFailed('q')).toEqual({ retried: 20, duplicates: 0 });
    await waitFor('all to fail again', async () => (await backend.count('q')).failed === 20);
    await consumption.stop();
  });

  it('tell of a job that nobody took in time, which can be retried', async () => {
    const backend = await open({ queuePrefix: 'test-ttl-', messageTtl: 50 });
    const job = newJob({ queue: 'q' });
    await backend.store([job]);
    const expired = await waitFor('the dead letter', async () => (await backend.listFailed(all)).jobs[0]);
    expect(expired).toMatchObject({ id: job.id, failure: { error: 'MessageExpired' } });
    expect(Math.abs(Date.now() - expired.failedAt.getTime())).toBeLessThan(60_000);
    const keeping = await open({ queuePrefix: 'test-ttl-', messageTtl: 50 });
    expect(await keeping.retryFailed(job.id, 'q')).toBe('retried');
    await waitFor('its second death', async () => (await backend.findFailed(job.id, 'q')) !== null);
  });

  it('that strangers put there have an id to forget them by', async () => {
    const backend = await open({ queuePrefix: 'test-stranger-' });
    await failedJobs(backend, 1);
    const channel = await plainChannel(vhost.url);
    channel.sendToQueue('test-stranger-q.dead', Buffer.from([0xff, 0xfe]));
    const { jobs } = await waitFor('both', async () => {
      const page = await backend.listFailed(all);
      return page.jobs.length === 2 && page;
    });
    const strange = jobs[1];
    expect(strange).toMatchObject({ failure: { cause: 'fatal', error: 'Unknown' }, failedAt: new Date(0) });
    expect(Buffer.from(strange?.body as Uint8Array)).toEqual(Buffer.from([0xff, 0xfe]));
    expect(await backend.forgetFailed(strange?.id as string, 'q')).toBe(true);
    expect((await backend.listFailed(all)).jobs.map(({ id }) => id)).toEqual([jobs[0]?.id]);
  });

  it('are not kept where the option says so', async () => {
    const backend = await open({ queuePrefix: 'test-none-', failedJobs: false });
    expect(backend.capabilities.failedJobs).toBe('no');
    await failedJobs(backend, 1);
    expect(await backend.count('q')).toMatchObject({ ready: 0, failed: null });
    const keeping = await open({ queuePrefix: 'test-none-' });
    expect((await keeping.listFailed(all)).jobs).toEqual([]);
  });

  it('a retry that cannot be published leaves the job where it is', async () => {
    const backend = await open({ queuePrefix: 'test-refused-' });
    const [id] = await failedJobs(backend, 1);
    const channel = await plainChannel(vhost.url);
    await channel.deleteQueue('test-refused-q');
    await channel.assertQueue('test-refused-q', { durable: true, arguments: { 'x-max-priority': 5 } });
    const other = await open({ queuePrefix: 'test-refused-' });
    await expect(other.retryFailed(id as string, 'q')).rejects.toThrow(/"test-refused-q".*x-max-priority/);
    expect((await other.findFailed(id as string, 'q'))?.id).toBe(id);
    expect(await channel.checkQueue('test-refused-q')).toMatchObject({ messageCount: 0 });
  });

  it('come back as jobs that were never delivered', async () => {
    const backend = await open({ queuePrefix: 'test-fresh-' });
    const ids = await failedJobs(backend, 3);
    expect(await backend.retryFailed(ids[1] as string, 'q')).toBe('retried');
    const [item] = await backend.reserve(['q'], 5);
    expect(item === undefined ? null : idOf(item)).toBe(ids[1]);
    expect(item?.header).toMatchObject({ attempts: 0, deferrals: 0 });
    await settleOne(backend, { operation: 'ack', receipt: item?.receipt, followUps: [] });
    expect(await drain(backend, 'q')).toEqual(new Map());
    expect((await backend.listFailed(all)).jobs.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
  });
});
