import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QueueConfigurationException } from '../../lib/contract/index.js';
import { newJob } from '../support/new-job.js';
import { drain, openRabbitMq, plainChannel } from '../support/rabbitmq-queue.js';
import { newVhost, type TestVhost } from '../support/rabbitmq-servers.js';
import { isTested } from '../support/servers.js';

describe.runIf(isTested('rabbitmq'))('a declaration that the broker refuses', () => {
  let vhost: TestVhost;
  beforeAll(async () => {
    vhost = await newVhost();
  });
  afterAll(() => vhost.remove());

  it('names what was asked for and what is there, and hurts no publish beside it', async () => {
    const backend = await openRabbitMq(vhost.url, { queuePrefix: 'test-' });
    const channel = await plainChannel(vhost.url);
    await channel.assertQueue('test-other', {
      durable: true,
      arguments: { 'x-queue-type': 'classic', 'x-max-priority': 7 },
    });
    const jobs = Array.from({ length: 300 }, (_, index) =>
      newJob({ queue: index % 3 === 0 ? 'other' : `good-${index % 3}`, delaySeconds: index % 2 }),
    );
    const outcomes = await backend.store(jobs);
    for (const [index, { queue }] of jobs.entries()) {
      if (queue !== 'other') expect(outcomes[index]).toEqual({ status: 'applied' });
      else
        expect(outcomes[index]).toMatchObject({
          status: 'refused',
          error: expect.any(QueueConfigurationException),
        });
    }
    const [refused] = outcomes;
    const message = refused !== undefined && 'error' in refused ? refused.error.message : '';
    expect(message).toContain('"test-other"');
    expect(message).toContain('"x-max-priority":10');
    expect(message).toMatch(/x-max-priority.*7/);
    expect((await channel.checkQueue('test-other')).messageCount).toBe(0);
  });

  it('is met by a sweep too, and the other queues of a worker are not lost with it', async () => {
    const backend = await openRabbitMq(vhost.url, { queuePrefix: 'test-sweep-' });
    const channel = await plainChannel(vhost.url);
    await channel.assertQueue('test-sweep-other', { durable: false });
    const job = newJob({ queue: 'good' });
    await backend.store([job]);
    const [held] = await backend.reserve(['good'], 1);
    await expect(backend.reserve(['other'], 1)).rejects.toBeInstanceOf(QueueConfigurationException);
    expect(held?.lost?.aborted).toBe(false);
    await backend.settle([{ operation: 'ack', receipt: held?.receipt, followUps: [] }]);
    expect(await drain(backend, 'good')).toEqual(new Map());
  });
});
