import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PublishNotConfirmedException, type StoreOutcome } from '../../lib/contract/index.js';
import { namesIn } from '../support/amqp-frames.js';
import { newJob } from '../support/new-job.js';
import { drain, openRabbitMq, openWire } from '../support/rabbitmq-queue.js';
import { newVhost, rabbitmqctl, type TestVhost } from '../support/rabbitmq-servers.js';
import { isTested } from '../support/servers.js';

const PUBLISHES = 2_000;
/** Jobs that the queue called `test-full` takes; the broker refuses every other. */
const ROOM = 10;
const queues = ['there', 'astray', 'there', 'full'] as const;

describe.runIf(isTested('rabbitmq'))(`${PUBLISHES} publishes in flight`, () => {
  let vhost: TestVhost;
  beforeAll(async () => {
    vhost = await newVhost();
    const policy = JSON.stringify({ 'max-length': ROOM, overflow: 'reject-publish' });
    await rabbitmqctl('set_policy', '-p', vhost.name, '--apply-to', 'queues', 'full', '^test-full$', policy);
  });
  afterAll(() => vhost.remove());

  it('are answered each by itself: stored, unroutable, or refused by the broker', async () => {
    const wire = await openWire(vhost.url);
    // No queue has the name that these arrive with, so that the broker returns them.
    wire.rewrite((frame) => {
      if (frame.method !== 'basic.publish' || namesIn(frame)[1] !== 'test-astray') return undefined;
      return Buffer.from(frame.bytes.toString('latin1').replace('test-astray', 'test-nobody'), 'latin1');
    });
    const backend = await openRabbitMq(wire.through(vhost.url), { queuePrefix: 'test-' });
    const jobs = Array.from({ length: PUBLISHES }, (_, index) =>
      newJob({ queue: queues[index % queues.length] as string }),
    );
    const outcomes = (await Promise.all(batchesOf(jobs, 250).map((batch) => backend.store(batch)))).flat();
    const answered = (queue: string, status: StoreOutcome['status']): string[] =>
      jobs
        .filter((job, index) => job.queue === queue && outcomes[index]?.status === status)
        .map(({ id }) => id);

    expect(answered('there', 'applied')).toHaveLength(PUBLISHES / 2);
    expect(answered('astray', 'refused')).toHaveLength(PUBLISHES / 4);
    expect(answered('full', 'applied')).toHaveLength(ROOM);
    expect(answered('full', 'unknown')).toHaveLength(PUBLISHES / 4 - ROOM);
    for (const outcome of outcomes) {
      if ('error' in outcome) expect(outcome.error).toBeInstanceOf(PublishNotConfirmedException);
    }
    const direct = await openRabbitMq(vhost.url, { queuePrefix: 'test-' });
    for (const queue of ['there', 'full']) {
      const stored = await drain(direct, queue);
      expect([...stored.keys()].sort()).toEqual(answered(queue, 'applied').sort());
      expect([...stored.values()].every((times) => times === 1)).toBe(true);
    }
    expect(await drain(direct, 'astray')).toEqual(new Map());
  });
});

function batchesOf<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: list.length / size }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}
