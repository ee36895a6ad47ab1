import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idOf, newJob } from '../support/new-job.js';
import { drainAll, nextItem, openRabbitMq, openWire, settleOne } from '../support/rabbitmq-queue.js';
import { newVhost, type TestVhost } from '../support/rabbitmq-servers.js';
import { isTested } from '../support/servers.js';

describe.runIf(isTested('rabbitmq'))('an ack with follow-ups, given to the backend itself', () => {
  let vhost: TestVhost;
  beforeAll(async () => {
    vhost = await newVhost();
  });
  afterAll(() => vhost.remove());

  it('stores each of them in its queue, and takes the job that it ends', async () => {
    const backend = await openRabbitMq(vhost.url, { queuePrefix: 'test-stored-' });
    const job = newJob();
    const followUps = [newJob(), newJob({ queue: 'later' })];
    await backend.store([job]);
    const { receipt } = await nextItem(backend, 'mail');
    expect(await settleOne(backend, { operation: 'ack', receipt, followUps })).toEqual({ status: 'applied' });
    expect(await drainAll(backend, 'mail', 1)).toEqual(new Map([[followUps[0]?.id, 1]]));
    expect(await drainAll(backend, 'later', 1)).toEqual(new Map([[followUps[1]?.id, 1]]));
  });

  it('gives the job back where a follow-up is not confirmed', async () => {
    const wire = await openWire(vhost.url);
    const options = { queuePrefix: 'test-lost-' };
    const backend = await openRabbitMq(wire.through(vhost.url), options);
    const job = newJob();
    await backend.store([job]);
    const { receipt } = await nextItem(backend, 'mail');
    const lost = wire.lose('request');
    const outcome = await settleOne(backend, { operation: 'ack', receipt, followUps: [newJob()] });
    await lost;
    expect(outcome.status).toBe('unknown');
    const witness = await openRabbitMq(vhost.url, options);
    expect(idOf(await nextItem(witness, 'mail'))).toBe(job.id);
  });
});
