import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deferred } from '../support/eventually.js';
import { newJob } from '../support/new-job.js';
import { drain, openRabbitMq, settleOne } from '../support/rabbitmq-queue.js';
import { newVhost, type TestVhost } from '../support/rabbitmq-servers.js';
import { isTested } from '../support/servers.js';

describe.runIf(isTested('rabbitmq'))('close()', () => {
  let vhost: TestVhost;
  beforeAll(async () => {
    vhost = await newVhost();
  });
  afterAll(() => vhost.remove());

  it('comes behind every acknowledgement, and gives back what was not settled', async () => {
    const another = await openRabbitMq(vhost.url, { queuePrefix: 'test-acks-' });
    const jobs = Array.from({ length: 301 }, () => newJob({ queue: 'q' }));
    await another.store(jobs);
    // Has nothing to wait for when it is closed.
    const backend = await openRabbitMq(vhost.url, { queuePrefix: 'test-acks-' });
    const items = await backend.reserve(['q'], jobs.length);
    await backend.settle(
      items.slice(1).map(({ receipt }) => ({ operation: 'ack', receipt, followUps: [] }) as const),
    );
    await backend.close();
    expect(items[0]?.lost?.aborted).toBe(true);
    expect([...(await drain(another, 'q')).keys()]).toEqual([jobs[0]?.id]);
  });

  it('comes behind the last acknowledgement of a consumer that was stopped', async () => {
    const another = await openRabbitMq(vhost.url, { queuePrefix: 'test-stopped-' });
    await another.store([newJob({ queue: 'q' })]);
    const backend = await openRabbitMq(vhost.url, { queuePrefix: 'test-stopped-' });
    const { promise: receipt, resolve: onItem } = deferred<unknown>();
    const consumption = await backend.consume('q', {
      prefetch: 1,
      onItem: (item) => onItem(item.receipt),
      onLost: () => undefined,
    });
    const held = await receipt;
    await consumption.stop();
    const acknowledged = settleOne(backend, { operation: 'ack', receipt: held, followUps: [] });
    await backend.close();
    expect(await acknowledged).toEqual({ status: 'applied' });
    expect(await drain(another, 'q')).toEqual(new Map());
  });

  it('waits for what is under way, which ends as it would have', async () => {
    const backend = await openRabbitMq(vhost.url, { queuePrefix: 'test-way-' });
    const held = newJob({ queue: 'q' });
    await backend.store([held]);
    const [item] = await backend.reserve(['q'], 1);
    const jobs = Array.from({ length: 500 }, (_, index) =>
      newJob({ queue: `q${index % 5}`, delaySeconds: index % 2 }),
    );
    const storing = backend.store(jobs);
    const settling = settleOne(backend, {
      operation: 'release',
      receipt: item?.receipt,
      changes: { attempts: 1 },
      delaySeconds: 0,
    });
    await backend.close();
    expect(new Set((await storing).map(({ status }) => status))).toEqual(new Set(['applied']));
    expect(await settling).toEqual({ status: 'applied' });
    const another = await openRabbitMq(vhost.url, { queuePrefix: 'test-way-' });
    expect([...(await drain(another, 'q')).keys()]).toEqual([held.id]);
  });

  it('refuses what comes behind it, until connect() is called again', async () => {
    const backend = await openRabbitMq(vhost.url, { queuePrefix: 'test-behind-' });
    await backend.close();
    await backend.close();
    const [refused] = await backend.store([newJob({ queue: 'q' })]);
    expect(refused).toMatchObject({ status: 'refused', error: { code: 'QUEUE_CONNECTION_FAILED' } });
    await backend.connect();
    expect(await backend.store([newJob({ queue: 'q' })])).toEqual([{ status: 'applied' }]);
  });

  it('ends a wait for work', async () => {
    const backend = await openRabbitMq(vhost.url, { queuePrefix: 'test-wait-' });
    const { signal } = new AbortController();
    const waiting = backend.waitForWork(['q'], { timeoutMs: 60_000, limit: 1, signal });
    await backend.close();
    expect(await waiting).toEqual([]);
  });
});
