import { createRequire } from 'node:module';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Queue } from '../../lib/queue/index.js';
import { Work } from '../support/apps/work.job.js';
import { ProcessBench } from '../support/process-bench.js';

const LEASE_SECONDS = 1;
const SLOW = 0;
const MARKER = 1;

let bench: ProcessBench;
let queue: Queue;

beforeEach(async () => {
  bench = new ProcessBench();
  queue = await bench.open(LEASE_SECONDS);
});

afterEach(() => bench.close());

/** Which jobs the rival has begun once three leases of the slow job have passed, told by a job that is due then. */
async function rivalBegan(args: readonly string[]): Promise<readonly unknown[]> {
  await queue.push(new Work(SLOW, 'hold'));
  const owner = bench.startWorker('work-worker', { leaseSeconds: LEASE_SECONDS, args });
  await bench.seen('start', 1, owner.pid);
  const rival = bench.startWorker('work-worker', {
    leaseSeconds: LEASE_SECONDS,
    args: ['--concurrency=2'],
    holdFile: 'never',
  });
  await queue.push(new Work(MARKER, 'quick'), { delaySeconds: 3 * LEASE_SECONDS });
  await bench.seen('end', 1, rival.pid);
  return bench.lines('start', rival.pid).map((line) => line.n);
}

describe('a job that runs longer than its lease', () => {
  it('is not stolen by a rival while its worker renews the lease', async () => {
    expect(await rivalBegan([])).toEqual([MARKER]);
    bench.letGo();
    await bench.seen('JobSucceeded', 2);
    expect(bench.lines('JobSettlementLost')).toEqual([]);
    expect(bench.lines('start').filter((line) => line.n === SLOW)).toHaveLength(1);
  });

  it('is stolen when renewal is off', async () => {
    expect(await rivalBegan(['--no-renew'])).toEqual([SLOW, MARKER]);
  });

  it('has its signal aborted within a lease and a busy timeout of the last renewal that another process lets through', async () => {
    await queue.push(new Work(SLOW, 'hold'));
    const worker = bench.startWorker('work-worker', { leaseSeconds: LEASE_SECONDS });
    await bench.seen('start', 1, worker.pid);
    const lock = lockFile(bench.databaseFile);
    const lockedAt = performance.now();
    try {
      await bench.seen('aborted');
    } finally {
      lock.release();
    }
    // A renewal may have been answered just before the lock; the deadline of the wait for a lock is a sixth of a lease.
    expect(performance.now() - lockedAt).toBeLessThan((1 + 1 / 6) * LEASE_SECONDS * 1_000 + 500);
    bench.letGo();
    await bench.seen('end');
    expect(worker.child.exitCode).toBeNull();
  });
});

interface SqliteDatabase {
  exec(statement: string): void;
  close(): void;
}

/** Holds the file's write lock, as a long transaction of another process would. */
function lockFile(file: string): { release(): void } {
  const Database = createRequire(import.meta.url)('better-sqlite3') as new (file: string) => SqliteDatabase;
  const database = new Database(file);
  database.exec('begin immediate');
  return {
    release: () => {
      database.exec('rollback');
      database.close();
    },
  };
}
