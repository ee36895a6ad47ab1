import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { QueueBackend, ReservedItem, Settlement } from '../../lib/contract/index.js';
import type { Queue } from '../../lib/queue/index.js';
import type { SqlOptions } from '../../lib/sql.js';
import { newQueueDatabase, queueOver } from '../support/server-queue.js';
import { newJob, openBackend } from '../support/sql-files.js';
import { sqlRequests } from '../support/sql-requests.js';
import { isTested } from '../support/servers.js';
import { connectionTo, driverNamed, type ServerDriver } from '../support/sql-servers.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { Work } from '../support/apps/work.job.js';

const QUEUE = 'work';

interface Wired {
  readonly wire: TcpProxy;
  readonly backend: QueueBackend;
  readonly queue: Queue;
  /** How many jobs of each state the server holds, asked over a wire of its own. */
  stored(): Promise<{
    readonly ready: number;
    readonly reserved: number | null;
    readonly failed: number | null;
  }>;
}

/** A queue whose wire to the server can be cut. */
async function wired(driver: ServerDriver, options: SqlOptions = {}): Promise<Wired> {
  const { database = '' } = await newQueueDatabase(driver);
  const direct = connectionTo(driver, database);
  const { host, port } = driver.address;
  const wire = await TcpProxy.open({ host, port, reader: sqlRequests });
  onTestFinished(() => wire.close());
  const backend = await openBackend({
    connection: { ...direct, host: '127.0.0.1', port: wire.port },
    ...options,
  });
  const witness = await openBackend({ connection: direct });
  return {
    wire,
    backend,
    queue: queueOver(backend),
    async stored() {
      const { ready, reserved, failed } = await witness.count(QUEUE);
      return { ready, reserved, failed };
    },
  };
}

async function reserved(backend: QueueBackend, count: number): Promise<readonly ReservedItem[]> {
  await backend.store(Array.from({ length: count }, () => newJob({ queue: QUEUE })));
  const items = await backend.reserve([QUEUE], count);
  expect(items).toHaveLength(count);
  return items;
}

const failure = { cause: 'fatal', error: 'Error', message: 'no', stack: null } as const;
const settlementOf = {
  ack: (receipt: unknown): Settlement => ({ operation: 'ack', receipt, followUps: [] }),
  release: (receipt: unknown): Settlement => ({
    operation: 'release',
    receipt,
    changes: {},
    delaySeconds: 0,
  }),
  fail: (receipt: unknown): Settlement => ({ operation: 'fail', receipt, failure }),
};
const afterSettlement = {
  ack: { ready: 0, reserved: 0, failed: 0 },
  release: { ready: 1, reserved: 0, failed: 0 },
  fail: { ready: 0, reserved: 0, failed: 1 },
};

const unknown = { code: 'QUEUE_OUTCOME_UNKNOWN' };

const drivers = (['postgresql', 'mariadb', 'mysql'] as const).map((name) => driverNamed(name));

for (const driver of drivers)
  describe.runIf(isTested(driver.backend))(`a wire to a server through the driver of ${driver.name}`, () => {
    it.each([
      ['request', 0],
      ['answer', 1],
    ] as const)('a push whose %s is lost is of unknown outcome: %i stored', async (part, count) => {
      const { wire, queue, stored } = await wired(driver);
      await queue.push(new Work(0, 'quick'), { queue: 'warm' });
      const lost = wire.lose(part);
      await expect(queue.push(new Work(1, 'quick'))).rejects.toMatchObject(unknown);
      await lost;
      expect((await stored()).ready).toBe(count);
      await queue.push(new Work(2, 'quick'));
      expect((await stored()).ready).toBe(count + 1);
    });

    it('a lost answer is the unknown outcome of every push that was in that step, and of no other', async () => {
      const { wire, queue, stored } = await wired(driver);
      await queue.push(new Work(0, 'quick'), { queue: 'warm' });
      const first = queue.push(new Work(1, 'quick'));
      const together = [2, 3, 4].map((n) => queue.push(new Work(n, 'quick')));
      await first;
      const lost = wire.lose('answer');
      const later = [5, 6].map((n) => queue.push(new Work(n, 'quick')));
      const outcomes = await Promise.allSettled([...together, ...later]);
      await lost;
      const isUnknown = outcomes.map(({ status }) => status === 'rejected');
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(unknown);
      // Whichever step met the loss, it is whole, and the other went through.
      expect([
        [true, true, true, false, false],
        [false, false, false, true, true],
      ]).toContainEqual(isUnknown);
      expect((await stored()).ready).toBe(6);
    });

    describe.each(['ack', 'release', 'fail'] as const)('%s', (operation) => {
      it('whose request is lost is unknown, and the delivery stays reserved', async () => {
        const { wire, backend, stored } = await wired(driver);
        const [item] = await reserved(backend, 1);
        const lost = wire.lose('request');
        const outcomes = await backend.settle([settlementOf[operation](item?.receipt)]);
        await lost;
        expect(outcomes).toMatchObject([{ status: 'unknown', error: unknown }]);
        expect(await stored()).toEqual({ ready: 0, reserved: 1, failed: 0 });
      });

      it('whose answer is lost is unknown, and was applied', async () => {
        const { wire, backend, stored } = await wired(driver);
        const [item] = await reserved(backend, 1);
        const lost = wire.lose('answer');
        const outcomes = await backend.settle([settlementOf[operation](item?.receipt)]);
        await lost;
        expect(outcomes).toMatchObject([{ status: 'unknown', error: unknown }]);
        expect(await stored()).toEqual(afterSettlement[operation]);
      });
    });

    it('gives up a push that a silent server does not answer, and goes on when it is back', async () => {
      const { wire, queue, backend, stored } = await wired(driver, { commandTimeoutMs: 300 });
      await queue.push(new Work(0, 'quick'), { queue: 'warm' });
      wire.stall();
      await expect(queue.push(new Work(1, 'quick'))).rejects.toMatchObject(unknown);
      wire.resume();
      await queue.push(new Work(2, 'quick'), { queue: 'after' });
      expect(await backend.count('after')).toMatchObject({ ready: 1 });
      expect((await stored()).ready).toBeLessThanOrEqual(1);
    });

    it('gives up a settlement that a silent server does not answer', async () => {
      const { wire, backend } = await wired(driver, { commandTimeoutMs: 300 });
      const [item] = await reserved(backend, 1);
      wire.stall();
      const outcomes = await backend.settle([settlementOf.release(item?.receipt)]);
      wire.resume();
      expect(outcomes).toMatchObject([{ status: 'unknown', error: unknown }]);
    });

    it('settlements of several kinds in one step, whose request is lost, are all unknown and none applied', async () => {
      const { wire, backend, stored } = await wired(driver);
      const [one, two, three] = await reserved(backend, 3);
      const lost = wire.lose('request');
      const outcomes = await backend.settle([
        settlementOf.ack(one?.receipt),
        settlementOf.release(two?.receipt),
        settlementOf.fail(three?.receipt),
      ]);
      await lost;
      expect(outcomes.map(({ status }) => status)).toEqual(['unknown', 'unknown', 'unknown']);
      expect(await stored()).toEqual({ ready: 0, reserved: 3, failed: 0 });
    });

    it('a push while nobody can connect was never sent, and says so', async () => {
      const { wire, queue, stored } = await wired(driver);
      wire.down();
      await expect(queue.push(new Work(1, 'quick'))).rejects.toMatchObject({
        code: 'QUEUE_CONNECTION_FAILED',
      });
      wire.up();
      await queue.push(new Work(2, 'quick'));
      expect((await stored()).ready).toBe(1);
    });

    it('a lost connection is told by the error alone: the driver writes nothing to the console', async () => {
      const { wire, queue } = await wired(driver);
      const written = (['log', 'warn', 'error'] as const).map((method) => vi.spyOn(console, method));
      onTestFinished(() => void written.forEach((spy) => spy.mockRestore()));
      await queue.push(new Work(0, 'quick'));
      const lost = wire.lose('request');
      await expect(queue.push(new Work(1, 'quick'))).rejects.toMatchObject(unknown);
      await lost;
      // The lost connection is looked at, and thrown away, when the next one is wanted.
      await queue.push(new Work(2, 'quick'));
      expect(written.flatMap(({ mock }) => mock.calls)).toEqual([]);
    });

    it('a push over a wire that stalls waits for it, and is stored once', async () => {
      const { wire, queue, stored } = await wired(driver);
      await queue.push(new Work(0, 'quick'), { queue: 'warm' });
      wire.stall();
      const pushed = queue.push(new Work(1, 'quick'));
      expect((await stored()).ready).toBe(0);
      wire.resume();
      await pushed;
      expect((await stored()).ready).toBe(1);
    });

    it('pushes while the wire is cut again and again: each that resolved is stored, no other is called "not stored"', async () => {
      const { wire, queue, stored } = await wired(driver);
      const tally = { stored: 0, unknown: 0, notSent: 0 };
      for (let round = 0; round < 40; round += 1) {
        const pushes = Array.from({ length: 5 }, (_, n) => queue.push(new Work(n, 'quick')));
        setTimeout(() => wire.cut(), round % 8);
        for (const outcome of await Promise.allSettled(pushes)) {
          if (outcome.status === 'fulfilled') tally.stored += 1;
          else if (outcome.reason.code === unknown.code) tally.unknown += 1;
          else {
            expect(outcome.reason).toMatchObject({ code: 'QUEUE_CONNECTION_FAILED' });
            tally.notSent += 1;
          }
        }
      }
      const { ready } = await stored();
      console.log(`${driver.name}, wire cut 40 times: ${JSON.stringify({ ...tally, ready })}`);
      expect(ready).toBeGreaterThanOrEqual(tally.stored);
      expect(ready).toBeLessThanOrEqual(tally.stored + tally.unknown);
    });
  });
