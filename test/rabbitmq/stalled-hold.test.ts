import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namesIn } from '../support/amqp-frames.js';
import { waitFor } from '../support/eventually.js';
import { idOf, newJob } from '../support/new-job.js';
import { openRabbitMq, openWire, settleOne, type WhenFinished } from '../support/rabbitmq-queue.js';
import { newVhost, rabbitmqctl, type TestVhost } from '../support/rabbitmq-servers.js';
import { isTested } from '../support/servers.js';

/** The time to live of the hold queue; it expires after twice that. */
const DELAY_SECONDS = 2;
/** Between the two, well away from both. */
const STALL_MS = 2_800;
const OPTIONS = { queuePrefix: 'test-', delays: 'hold' } as const;

describe.runIf(isTested('rabbitmq'))('a hold queue whose publish is stalled after its declaration', () => {
  let vhost: TestVhost;
  beforeAll(async () => {
    vhost = await newVhost();
  });
  afterAll(() => vhost.remove());

  async function setUp(queue: string, whenFinished: WhenFinished) {
    const wire = await openWire(vhost.url, whenFinished);
    const backend = await openRabbitMq(wire.through(vhost.url), OPTIONS, whenFinished);
    const direct = await openRabbitMq(vhost.url, OPTIONS, whenFinished);
    // What is declared on the way, so that the stall meets the hold queue alone.
    await backend.store([newJob({ queue })]);
    const held = wire.script({
      from: 'client',
      method: 'basic.publish',
      matches: (frame) => namesIn(frame)[1]?.startsWith(`test-${queue}.deferred.`) === true,
      fate: 'hold',
    });
    return { wire, backend, direct, held };
  }

  it.concurrent(
    'past its time to live: the push rejects as unknown, whatever became of it',
    async ({ onTestFinished }) => {
      const { wire, backend, held } = await setUp('ttl', onTestFinished);
      const pushing = backend.store([newJob({ queue: 'ttl', delaySeconds: DELAY_SECONDS })]);
      await held;
      await pause(STALL_MS);
      wire.release();
      expect(await pushing).toMatchObject([{ status: 'unknown', error: { code: 'PUBLISH_NOT_CONFIRMED' } }]);
    },
  );

  it.concurrent(
    'past its expiry: the push rejects, and nothing that was accepted is lost',
    async ({ onTestFinished }) => {
      const queue = 'expired';
      const { wire, backend, direct, held } = await setUp(queue, onTestFinished);
      const stalled = newJob({ queue, delaySeconds: DELAY_SECONDS });
      const pushing = backend.store([stalled]);
      await held;
      const accepted = newJob({ queue, delaySeconds: 1 });
      expect(await direct.store([accepted])).toMatchObject([{ status: 'applied' }]);
      // To ask the broker over AMQP would be a use of the queue, which begins its expiry anew.
      await waitFor('the hold queue to be gone', async () => {
        const names = await rabbitmqctl('list_queues', '-p', vhost.name, 'name');
        return !names.includes(`test-${queue}.deferred.${DELAY_SECONDS * 1_000}`);
      });
      wire.release();
      expect(await pushing).toMatchObject([{ status: 'unknown', error: { code: 'PUBLISH_NOT_CONFIRMED' } }]);
      const again = newJob({ queue, delaySeconds: DELAY_SECONDS });
      expect(await backend.store([again])).toMatchObject([{ status: 'applied' }]);
      const came = new Set<string>();
      await waitFor('every job that was accepted', async () => {
        for (const item of await direct.reserve([queue], 10)) {
          came.add(idOf(item));
          await settleOne(direct, { operation: 'ack', receipt: item.receipt, followUps: [] });
        }
        return came.has(accepted.id) && came.has(again.id);
      });
      expect(came).not.toContain(stalled.id);
    },
  );

  it.concurrent(
    'the confirmation alone: the push rejects as unknown, and the job comes',
    async ({ onTestFinished }) => {
      const queue = 'confirmation';
      const wire = await openWire(vhost.url, onTestFinished);
      const backend = await openRabbitMq(wire.through(vhost.url), OPTIONS, onTestFinished);
      const held = wire.script(
        { from: 'client', method: 'basic.publish', fate: 'pass' },
        { from: 'server', method: 'basic.ack', fate: 'hold' },
      );
      const job = newJob({ queue, delaySeconds: 1 });
      const pushing = backend.store([job]);
      await held;
      await pause(1_300);
      wire.release();
      expect(await pushing).toMatchObject([{ status: 'unknown', error: { code: 'PUBLISH_NOT_CONFIRMED' } }]);
      const item = await waitFor('the job', async () => (await backend.reserve([queue], 1))[0]);
      expect(idOf(item)).toBe(job.id);
    },
  );
});
