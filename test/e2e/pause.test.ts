import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { KinetisQueueHealthModule, QueueHealthIndicator } from '../../lib/health.js';
import { KinetisQueueModule } from '../../lib/index.js';
import { type Queue, QueueAdmin } from '../../lib/queue/index.js';
import { sql } from '../../lib/sql.js';
import { Work } from '../support/apps/work.job.js';
import { ProcessBench } from '../support/process-bench.js';
import type { WorkerProcess } from '../support/worker-process.js';
import { waitFor } from '../support/eventually.js';

const PAUSED = 'work';
const OTHER = 'work-of-others';
const BACKLOG = 20;
/** Jobs of the other queue are numbered from here. */
const MARKERS = 1_000;

let bench: ProcessBench;
let queue: Queue;
let admin: QueueAdmin;
let markers = 0;

beforeEach(async () => {
  bench = new ProcessBench();
  queue = await bench.open(90);
  admin = new QueueAdmin(queue);
  markers = 0;
});

afterEach(() => bench.close());

function startWorker(): WorkerProcess {
  return bench.startWorker('work-worker', { leaseSeconds: 90, args: [`--queue=${PAUSED},${OTHER}`] });
}

const markersOf = (worker: WorkerProcess): number =>
  bench.lines('end', worker.pid).filter(({ n = 0 }) => n >= MARKERS).length;

/**
 * Proves that each worker swept past the paused queue: both take its jobs first, so that one which ends a job of the
 * other queue has looked at the paused one after it was paused.
 */
async function eachHasLookedTwice(workers: readonly WorkerProcess[]): Promise<void> {
  const before = workers.map(markersOf);
  await waitFor('both workers to run two jobs of the other queue', async () => {
    if ((await queue.size(OTHER)) === 0) {
      await queue.pushMany(
        workers.map(() => ({ job: new Work(MARKERS + (markers += 1), 'quick'), queue: OTHER })),
      );
    }
    return workers.every((worker, index) => markersOf(worker) >= (before[index] ?? 0) + 2);
  });
}

const begunOfBacklog = (): readonly unknown[] =>
  bench
    .lines('start')
    .map(({ n = 0 }) => n)
    .filter((n) => n > 0 && n < MARKERS);

async function healthOf(file: string): Promise<QueueHealthIndicator> {
  const connection = { driver: 'sqlite', file } as const;
  @Module({
    imports: [
      KinetisQueueHealthModule,
      KinetisQueueModule.forRoot({ connections: { default: sql({ connection }) } }),
    ],
  })
  class OperationsModule {}
  const app = await Test.createTestingModule({ imports: [OperationsModule] }).compile();
  onTestFinished(() => app.close());
  return app.get(QueueHealthIndicator, { strict: false });
}

describe('a queue that is paused', () => {
  it(
    'gives nothing to any worker, takes pushes and settlements, says so, and goes on when it is resumed',
    { timeout: 60_000 },
    async () => {
      const workers = [startWorker(), startWorker()];
      await queue.push(new Work(0, 'hold'));
      await bench.seen('start');
      await admin.pause(PAUSED);
      await queue.pushMany(Array.from({ length: BACKLOG }, (_, n) => new Work(n + 1, 'quick')));
      // What ran already ends and is settled; both are free to take more then.
      bench.letGo();
      await bench.seen('JobSucceeded');
      await eachHasLookedTwice(workers);
      expect(begunOfBacklog()).toEqual([]);
      expect(await queue.counts(PAUSED)).toMatchObject({ ready: BACKLOG, reserved: 0, paused: true });
      expect(await queue.counts(OTHER)).toMatchObject({ paused: false });
      const health = await healthOf(bench.databaseFile);
      expect(await health.backlogCheck('work', { queue: PAUSED, maxWaiting: 100 })).toMatchObject({
        work: { status: 'up', waiting: BACKLOG, paused: true },
      });

      // Kept by the backend, not by those who were told: a worker that starts later holds back as well.
      const late = startWorker();
      await eachHasLookedTwice([late]);
      expect(begunOfBacklog()).toEqual([]);

      await admin.resume(PAUSED);
      await waitFor('the backlog to be delivered', () => begunOfBacklog().length === BACKLOG);
      await waitFor('an empty queue', async () => {
        const { ready, reserved } = await queue.counts(PAUSED);
        return ready === 0 && reserved === 0;
      });
      expect(new Set(begunOfBacklog()).size).toBe(BACKLOG);
      expect(await queue.counts(PAUSED)).toMatchObject({ paused: false });
      expect(await health.backlogCheck('work', { queue: PAUSED, maxWaiting: 100 })).toMatchObject({
        work: { status: 'up', waiting: 0, paused: false },
      });
    },
  );

  it('holds back what comes back to it: a delay that ends and a lease that was lost', async () => {
    const short = bench.startWorker('work-worker', {
      leaseSeconds: 1,
      holdFile: 'never',
      args: [`--queue=${PAUSED}`],
    });
    await queue.push(new Work(1, 'hold'));
    await bench.seen('start');
    short.signal('SIGKILL');
    await short.exit();
    await admin.pause(PAUSED);
    await queue.push(new Work(2, 'quick'), { delaySeconds: 1 });
    await waitFor('both to be ready', async () => (await queue.counts(PAUSED)).ready === 2);
    const worker = startWorker();
    await eachHasLookedTwice([worker]);
    expect(begunOfBacklog()).toEqual([1]);
    bench.letGo();
    await admin.resume(PAUSED);
    await waitFor('both jobs to end', () => begunOfBacklog().length === 3);
    expect(begunOfBacklog().toSorted()).toEqual([1, 1, 2]);
  });
});
