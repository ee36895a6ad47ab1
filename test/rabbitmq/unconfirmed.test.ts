import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReservedItem, Settlement } from '../../lib/contract/index.js';
import { newJob } from '../support/new-job.js';
import { drain, drainAll, nextItem, openRabbitMq, openWire, settleOne } from '../support/rabbitmq-queue.js';
import { newVhost, rabbitmqctl, type TestVhost } from '../support/rabbitmq-servers.js';
import { isTested } from '../support/servers.js';

const failure = { cause: 'fatal', error: 'Error', message: 'no', stack: null } as const;
const operations: readonly [operation: string, make: (item: ReservedItem) => Settlement][] = [
  [
    'release',
    ({ receipt }) => ({ operation: 'release', receipt, changes: { attempts: 1 }, delaySeconds: 0 }),
  ],
  ['defer', ({ receipt }) => ({ operation: 'defer', receipt, changes: { deferrals: 1 }, delaySeconds: 0 })],
  ['fail', ({ receipt }) => ({ operation: 'fail', receipt, failure })],
];
const UNKNOWN = { status: 'unknown', error: { code: 'PUBLISH_NOT_CONFIRMED' } };

describe.runIf(isTested('rabbitmq'))('a publish that is not confirmed, on a connection that lives', () => {
  let vhost: TestVhost;
  beforeAll(async () => {
    vhost = await newVhost();
  });
  afterAll(() => vhost.remove());

  async function unacknowledged(): Promise<string[]> {
    const lines = await rabbitmqctl('list_queues', '-p', vhost.name, 'name', 'messages_unacknowledged');
    return lines.split('\n').filter((line) => /\t[1-9]\d*$/.test(line));
  }

  describe.each(operations)('of a %s', (operation, make) => {
    it('because the broker refuses it: the job comes again, once, and nothing stays held', async () => {
      const backend = await openRabbitMq(vhost.url, { queuePrefix: `test-full-${operation}-` });
      const job = newJob();
      await backend.store([job]);
      const item = await nextItem(backend, 'mail');
      const policy = JSON.stringify({ 'max-length': 0, overflow: 'reject-publish' });
      await rabbitmqctl('set_policy', '-p', vhost.name, '--apply-to', 'queues', 'full', '^test-full', policy);
      expect(await settleOne(backend, make(item))).toMatchObject(UNKNOWN);
      expect(item.lost?.aborted).toBe(false);
      await rabbitmqctl('clear_policy', '-p', vhost.name, 'full');
      expect(await drainAll(backend, 'mail', 1)).toEqual(new Map([[job.id, 1]]));
      expect(await backend.listFailed({ queue: 'mail', limit: 10 })).toMatchObject({ jobs: [] });
      expect(await unacknowledged()).toEqual([]);
    });

    it('in time: the job comes again, and the late confirmation is nobody else’s', async () => {
      const wire = await openWire(vhost.url);
      const backend = await openRabbitMq(wire.through(vhost.url), {
        queuePrefix: `test-late-${operation}-`,
        confirmTimeoutMs: 500,
      });
      const job = newJob();
      await backend.store([job]);
      const item = await nextItem(backend, 'mail');
      const held = wire.script(
        { from: 'client', method: 'basic.publish', fate: 'pass' },
        { from: 'server', method: ['basic.ack', 'basic.nack'], fate: 'hold' },
      );
      const settling = settleOne(backend, make(item));
      await held;
      expect(await settling).toMatchObject(UNKNOWN);
      wire.release();
      const next = newJob({ queue: 'next' });
      expect(await backend.store([next])).toEqual([{ status: 'applied' }]);
      const copies = operation === 'fail' ? 1 : 2;
      expect(await drainAll(backend, 'mail', copies)).toEqual(new Map([[job.id, copies]]));
      expect(await drain(backend, 'next')).toEqual(new Map([[next.id, 1]]));
      expect(item.lost?.aborted).toBe(false);
      expect(await unacknowledged()).toEqual([]);
    });
  });
});
