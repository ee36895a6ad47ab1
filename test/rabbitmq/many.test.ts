import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idOf, newJob } from '../support/new-job.js';
import { openRabbitMq } from '../support/rabbitmq-queue.js';
import { newVhost, type TestVhost } from '../support/rabbitmq-servers.js';
import { isTested } from '../support/servers.js';

/** More than a channel takes before it has to wait for its socket. */
const MANY = 3_000;

describe.runIf(isTested('rabbitmq'))('many jobs at once', () => {
  let vhost: TestVhost;
  beforeAll(async () => {
    vhost = await newVhost();
  });
  afterAll(() => vhost.remove());

  it('are stored in their order, and taken in it, each once, never more than the limit', async () => {
    const backend = await openRabbitMq(vhost.url, { queuePrefix: 'test-' });
    const jobs = Array.from({ length: MANY }, () => newJob({ queue: 'q', args: { text: 'x'.repeat(500) } }));
    const outcomes = await backend.store(jobs);
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['applied']));
    const taken: string[] = [];
    for (const limit of [1, 2, 20, 21, 22, 7, MANY]) {
      const items = await backend.reserve(['q', 'other'], limit);
      expect(items).toHaveLength(Math.min(limit, MANY - taken.length));
      taken.push(...items.map(idOf));
    }
    expect(taken).toEqual(jobs.map(({ id }) => id));
    expect(await backend.reserve(['q'], 10)).toEqual([]);
  });

  it('that two take from at the same time are nobody’s twice', async () => {
    const backend = await openRabbitMq(vhost.url, { queuePrefix: 'test-two-' });
    const another = await openRabbitMq(vhost.url, { queuePrefix: 'test-two-' });
    const jobs = Array.from({ length: 200 }, () => newJob({ queue: 'q' }));
    await backend.store(jobs);
    const sweeps = [backend, another, backend].map((each) => each.reserve(['q'], 100));
    const taken = (await Promise.all(sweeps)).flat().map(idOf);
    expect(taken.sort()).toEqual(jobs.map(({ id }) => id).sort());
  });

  it('under way over one channel do not wait for one whose queue is declared', async () => {
    const backend = await openRabbitMq(vhost.url, { queuePrefix: 'test-mixed-' });
    const jobs = Array.from({ length: 400 }, (_, index) =>
      newJob({ queue: `q${index % 20}`, delaySeconds: index % 4 === 0 ? 60 : 0 }),
    );
    const outcomes = await backend.store(jobs);
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['applied']));
    const counts = await Promise.all(Array.from({ length: 20 }, (_, index) => backend.count(`q${index}`)));
    expect(counts.reduce((sum, { ready }) => sum + ready, 0)).toBe(300);
    expect(counts.reduce((sum, { delayed }) => sum + (delayed ?? 0), 0)).toBe(100);
  });
});
