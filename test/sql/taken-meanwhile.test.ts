import { IsolationLevel } from '@mikro-orm/core';
import { describe, expect, it } from 'vitest';
import type { SqlBackend } from '../../lib/backends/sql/sql.backend.js';
import type { Receipt, Settlement } from '../../lib/contract/index.js';
import { waitFor } from '../support/eventually.js';
import { newQueueDatabase } from '../support/server-queue.js';
import { isTested } from '../support/servers.js';
import { newJob, openBackend } from '../support/sql-files.js';
import { isLockAwaited } from '../support/sql-lock-waits.js';
import { driverNamed, openServerOrm, type ServerDriver, type ServerOrm } from '../support/sql-servers.js';

const LATER_MS = 9_000_000_000_000;

/** What a reserve of another process leaves behind in a row, once it has brought it back. */
const TAKES = `update kinetis_queue_jobs set state = 2, token = 'another', due_at = ${LATER_MS} where seq = ?`;

const SETTLEMENTS: { readonly [Name in Settlement['operation']]: (receipt: Receipt) => Settlement } = {
  ack: (receipt) => ({ operation: 'ack', receipt, followUps: [] }),
  release: (receipt) => ({ operation: 'release', receipt, changes: { attempts: 7 }, delaySeconds: 0 }),
  defer: (receipt) => ({ operation: 'defer', receipt, changes: { deferrals: 7 }, delaySeconds: 60 }),
  fail: (receipt) => ({
    operation: 'fail',
    receipt,
    failure: { cause: 'fatal', error: 'Error', message: 'no', stack: null },
  }),
  extend: (receipt) => ({ operation: 'extend', receipt, seconds: 60 }),
};

/** A queue's database, its backend, and another session, which says how far it goes. */
class Bench {
  private constructor(
    private readonly name: 'postgresql' | 'mariadb',
    readonly backend: SqlBackend,
    private readonly orm: ServerOrm,
  ) {}

  static async open(driver: ServerDriver, name: 'postgresql' | 'mariadb'): Promise<Bench> {
    const connection = await newQueueDatabase(driver);
    const orm = await openServerOrm(driver, connection.database ?? '');
    return new Bench(name, await openBackend({ connection }), orm);
  }

  rows(sql: string, ...values: readonly unknown[]): Promise<{ readonly [column: string]: unknown }[]> {
    return this.orm.em.getConnection().execute(sql, [...values]);
  }

  /**
   * Changes rows in another session, whose transaction ends only when the backend's step has ended or waits for it.
   * Answers what the step came to, and whether it waited.
   */
  async besides<T>(
    [sql, ...values]: readonly [sql: string, ...values: unknown[]],
    step: () => Promise<T>,
  ): Promise<{ readonly came: T; readonly waited: boolean }> {
    let running: Promise<T> | undefined;
    let ended = false;
    const waited = await this.orm.em.transactional(
      async (em) => {
        await em.getConnection().execute(sql, values, 'run', em.getTransactionContext());
        running = step().finally(() => (ended = true));
        await waitFor('the step to end or to wait', async () => ended || isLockAwaited(this.orm, this.name));
        return !ended;
      },
      { isolationLevel: IsolationLevel.READ_COMMITTED },
    );
    return { came: await (running as Promise<T>), waited };
  }
}

describe.each(['postgresql', 'mariadb'] as const)('on %s', (name) => {
  const driver = driverNamed(name);

  describe.runIf(isTested(driver.backend))('what another session has in hand', () => {
    it('is passed over by a reserve that is asked for together with an ack', async () => {
      const bench = await Bench.open(driver, name);
      const { backend } = bench;
      await backend.connect();
      await backend.store([newJob(), newJob(), newJob()]);
      const [first] = await backend.reserve(['mail'], 1);
      const [row] = await bench.rows('select min(seq) as seq from kinetis_queue_jobs where state = 0');
      const { came, waited } = await bench.besides([TAKES, row?.['seq']], async () => {
        const acked = backend.settle([SETTLEMENTS.ack(first?.receipt)]);
        const reserved = await backend.reserve(['mail'], 2);
        return { acked: await acked, reserved: reserved.length };
      });
      expect(came).toEqual({ acked: [{ status: 'applied' }], reserved: 1 });
      expect(waited).toBe(false);
    });

    it.each([
      ['delay', 1],
      ['lease', 2],
    ])('is left to it where a %s ended: the promoter does not bring it back again', async (_what, state) => {
      const bench = await Bench.open(driver, name);
      await bench.backend.store([newJob()]);
      const [row] = await bench.rows('select seq from kinetis_queue_jobs');
      await bench.rows('update kinetis_queue_jobs set state = ?, due_at = 0', state);
      const { came, waited } = await bench.besides([TAKES, row?.['seq']], () =>
        bench.backend.reserve(['mail'], 1),
      );
      expect(came).toEqual([]);
      expect(await bench.rows('select state, token from kinetis_queue_jobs')).toMatchObject([
        { state: 2, token: 'another' },
      ]);
      expect(waited).toBe(false);
    });

    it.each(Object.entries(SETTLEMENTS))('is no longer settled by %s', async (operation, settlement) => {
      const bench = await Bench.open(driver, name);
      await bench.backend.store([newJob(), newJob()]);
      const items = await bench.backend.reserve(['mail'], 2);
      const [first] = await bench.rows('select * from kinetis_queue_jobs order by seq');
      const { came } = await bench.besides([TAKES, first?.['seq']], () =>
        bench.backend.settle(items.map(({ receipt }) => settlement(receipt))),
      );
      expect(came.map(({ status }) => status)).toEqual(['stale', 'applied']);
      const [row] = await bench.rows('select * from kinetis_queue_jobs where seq = ?', first?.['seq']);
      expect({ ...row, due_at: Number(row?.['due_at']) }).toEqual({
        ...first,
        token: 'another',
        due_at: LATER_MS,
      });
      const failed = await bench.rows('select seq from kinetis_queue_failed_jobs');
      expect(failed).toHaveLength(operation === 'fail' ? 1 : 0);
    });

    it('is not retried a second time', async () => {
      const bench = await Bench.open(driver, name);
      const job = newJob();
      await bench.backend.store([job]);
      const [item] = await bench.backend.reserve(['mail'], 1);
      await bench.backend.settle([SETTLEMENTS.fail(item?.receipt)]);
      const { came } = await bench.besides(['delete from kinetis_queue_failed_jobs'], () =>
        bench.backend.retryFailed(job.id),
      );
      expect(came).toBe('missing');
      expect(await bench.rows('select seq from kinetis_queue_jobs')).toEqual([]);
    });
  });
});
