import { createRequire } from 'node:module';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SqlBackend } from '../../lib/backends/sql/sql.backend.js';
import { waitFor } from '../support/eventually.js';
import { migrated, newJob } from '../support/sql-files.js';

/** The driver has no types of its own. */
interface Connection {
  exec(sql: string): void;
  prepare(sql: string): { run(): unknown; all(): unknown[] };
  close(): void;
}

const Database = createRequire(import.meta.url)('better-sqlite3') as new (file: string) => Connection;

const LATER_MS = 9_000_000_000_000;

/** What a reserve of another process leaves behind in the first row, once it has brought it back. */
const TAKES = `
  update kinetis_queue_jobs set state = 2, token = 'another', due_at = ${LATER_MS}
  where seq = (select min(seq) from kinetis_queue_jobs)`;

/** Changes a row in another connection, whose transaction ends only when the backend's step has run into it. */
async function besides<T>(other: Connection, sql: string, step: () => Promise<T>): Promise<T> {
  const statements = Object.getPrototypeOf(other.prepare(TAKES)) as ReturnType<Connection['prepare']>;
  const run = vi.spyOn(statements, 'run');
  onTestFinished(() => run.mockRestore());
  other.exec(`begin immediate; ${sql}`);
  const running = step();
  await waitFor('a write of the step to meet the lock', () =>
    run.mock.results.some(({ type }) => type === 'throw'),
  );
  other.exec('commit');
  return running;
}

async function open(): Promise<{ readonly other: Connection; readonly backend: SqlBackend }> {
  const { file, backend } = await migrated();
  const other = new Database(file);
  onTestFinished(() => void other.close());
  return { other, backend };
}

describe('what another connection to the SQLite file has in hand', () => {
  it.each([
    ['delay', 1],
    ['lease', 2],
  ])('is left to it where a %s ended: the promoter does not bring it back again', async (_what, state) => {
    const { other, backend } = await open();
    await backend.store([newJob()]);
    other.exec(`update kinetis_queue_jobs set state = ${state}, due_at = 0`);
    expect(await besides(other, TAKES, () => backend.reserve(['mail'], 1))).toEqual([]);
    expect(other.prepare('select state, token from kinetis_queue_jobs').all()).toEqual([
      { state: 2, token: 'another' },
    ]);
  });

  it.each(['ack', 'release'] as const)('is no longer settled by %s', async (operation) => {
    const { other, backend } = await open();
    await backend.store([newJob(), newJob()]);
    const items = await backend.reserve(['mail'], 2);
    const settlements = items.map(({ receipt }) =>
      operation === 'ack'
        ? ({ operation, receipt, followUps: [] } as const)
        : ({ operation, receipt, changes: {}, delaySeconds: 0 } as const),
    );
    const outcomes = await besides(other, TAKES, () => backend.settle(settlements));
    expect(outcomes.map(({ status }) => status)).toEqual(['stale', 'applied']);
    const rows = other.prepare('select state, token, due_at from kinetis_queue_jobs order by seq').all();
    expect(rows[0]).toEqual({ state: 2, token: 'another', due_at: LATER_MS });
  });

  it('is not retried a second time', async () => {
    const { other, backend } = await open();
    const job = newJob();
    await backend.store([job]);
    const [item] = await backend.reserve(['mail'], 1);
    const failure = { cause: 'fatal', error: 'Error', message: 'no', stack: null } as const;
    await backend.settle([{ operation: 'fail', receipt: item?.receipt, failure }]);
    const retrying = besides(other, 'delete from kinetis_queue_failed_jobs', () =>
      backend.retryFailed(job.id),
    );
    expect(await retrying).toBe('missing');
    expect(other.prepare('select seq from kinetis_queue_jobs').all()).toEqual([]);
  });
});
