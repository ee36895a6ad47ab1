import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Queue } from '../../lib/queue/index.js';
import { Work, type WorkKind } from '../support/apps/work.job.js';
import { ProcessBench } from '../support/process-bench.js';
import type { WorkerProcess } from '../support/worker-process.js';
import { waitFor } from '../support/eventually.js';

let bench: ProcessBench;
let queue: Queue;

beforeEach(() => {
  bench = new ProcessBench();
});

afterEach(() => bench.close());

async function open(leaseSeconds: number): Promise<void> {
  queue = await bench.open(leaseSeconds);
}

function startWorker(
  leaseSeconds: number,
  holdFile = 'hold',
  preload: readonly string[] = [],
): WorkerProcess {
  return bench.startWorker('work-worker', { leaseSeconds, holdFile, preload, args: ['--queue=work'] });
}

async function pushAll(count: number, kindOf: (n: number) => WorkKind): Promise<void> {
  await queue.pushMany(Array.from({ length: count }, (_, n) => new Work(n, kindOf(n))));
}

/** Rejects after a deadline that is part of what is promised. */
function within(deadlineMs: number, what: string): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`Expected ${what} within ${deadlineMs} ms.`)), deadlineMs).unref();
  });
}

describe('workers in processes of their own', () => {
  it(
    'run 600 jobs of one file exactly once each, six of them side by side',
    { timeout: 90_000 },
    async () => {
      await open(90);
      await pushAll(600, () => 'quick');
      const six = Array.from({ length: 6 }, () => startWorker(90));
      await waitFor('an empty queue', async () => (await queue.size('work')) === 0, 60_000);
      await bench.seen('JobSucceeded', 600);
      for (const worker of six) worker.signal('SIGTERM');
      expect(await Promise.all(six.map((worker) => worker.exit()))).toEqual([0, 0, 0, 0, 0, 0]);
      const started = bench.lines('start').map((line) => line.n);
      expect(started).toHaveLength(600);
      expect(new Set(started).size).toBe(600);
      expect(new Set(bench.lines('start').map((line) => line.pid)).size).toBeGreaterThan(1);
    },
  );

  it('give a job of a killed worker to another one, as its second attempt', async () => {
    await open(2);
    await pushAll(1, () => 'hold');
    const first = startWorker(2);
    await bench.seen('start');
    first.signal('SIGKILL');
    await first.exit();
    startWorker(2);
    const [, second] = await bench.seen('start', 2);
    expect(second).toMatchObject({ n: 0, attempt: 2 });
    bench.letGo();
    await bench.seen('JobSucceeded');
    expect(await queue.counts('work')).toMatchObject({ ready: 0, delayed: 0, reserved: 0 });
  });

  it('answer a worker that slept past its lease with a stale settlement, which changes nothing', async () => {
    await open(1);
    await pushAll(1, () => 'hold');
    const sleeper = startWorker(1, 'hold-sleeper');
    await bench.seen('start');
    sleeper.signal('SIGSTOP');
    const successor = startWorker(30, 'hold-successor');
    await bench.seen('start', 1, successor.pid);
    bench.letGo('hold-sleeper');
    sleeper.signal('SIGCONT');
    await bench.seen('JobSettlementLost', 1, sleeper.pid);
    expect(await queue.counts('work')).toMatchObject({ ready: 0, reserved: 1 });
    bench.letGo('hold-successor');
    await bench.seen('JobSucceeded', 1, successor.pid);
    expect(bench.lines('JobSucceeded')).toHaveLength(1);
    expect(await queue.counts('work')).toMatchObject({ ready: 0, reserved: 0 });
  });
});

/** How many deliveries were accepted although a later one of the same job had started by then. */
function zombieSettlements(): number {
  const latest = new Map<unknown, number>();
  let zombies = 0;
  for (const { event, id, attempt = 0 } of bench.ledger()) {
    if (event === 'start') latest.set(id, Math.max(attempt, latest.get(id) ?? 0));
    if (event === 'JobSucceeded' && attempt < (latest.get(id) ?? 0)) zombies += 1;
  }
  return zombies;
}

describe('six workers that lose leases all the time', () => {
  const JOBS = 600;
  const OUTLIVING = 12;

  async function race(preload: readonly string[]): Promise<number> {
    await open(1);
    await pushAll(JOBS, (n) => (n % (JOBS / OUTLIVING) === 0 ? 'outlive' : 'quick'));
    for (let count = 0; count < 6; count += 1) startWorker(1, 'hold', preload);
    await waitFor(
      'the end of every job',
      async () => {
        const counts = await queue.counts('work');
        const open = counts.ready + (counts.delayed ?? 0) + (counts.reserved ?? 0);
        return open === 0 && new Set(bench.lines('end').map((line) => line.n)).size === JOBS;
      },
      60_000,
    );
    for (const worker of bench.workers) worker.signal('SIGTERM');
    await Promise.all(bench.workers.map((worker) => worker.exit()));
    return zombieSettlements();
  }

  it('never have a late settlement accepted', { timeout: 90_000 }, async () => {
    const zombies = await race([]);
    const lost = bench.lines('JobSettlementLost').length;
    console.log(`race with the token check: ${zombies} late settlements accepted, ${lost} answered stale`);
    expect(zombies).toBe(0);
    expect(lost).toBeGreaterThan(0);
    expect(bench.lines('JobSucceeded')).toHaveLength(JOBS);
  });

  it('fail this race when the token check is taken out', { timeout: 90_000 }, async () => {
    const zombies = await race(['without-token-check']);
    console.log(
      `race without the token check: ${zombies} late settlements accepted of ${OUTLIVING} lost leases`,
    );
    expect(zombies).toBeGreaterThan(0);
  });
});

describe('a worker that is told to stop in mid-job', () => {
  it('finishes and settles the job with the providers of the application still open, and exits with 0', async () => {
    await open(90);
    await pushAll(2, () => 'hold');
    const worker = startWorker(90);
    await bench.seen('start');
    worker.signal('SIGTERM');
    await waitFor('the stop in the log', () => /stop/i.test(worker.output));
    bench.letGo();
    expect(await worker.exit()).toBe(0);
    expect(bench.lines('end')).toMatchObject([{ n: 0, databaseOpen: true }]);
    expect(bench.lines('JobSucceeded')).toHaveLength(1);
    expect(await queue.counts('work')).toMatchObject({ ready: 1, reserved: 0 });
  });

  it('ends with 1 within 4 s of a second signal, and gives the job back without an attempt', async () => {
    await open(90);
    await pushAll(1, () => 'hold');
    const worker = startWorker(90);
    await bench.seen('start');
    worker.signal('SIGTERM');
    await waitFor('the stop in the log', () => /stop/i.test(worker.output));
    worker.signal('SIGTERM');
    const code = await Promise.race([worker.exit(), within(4_000, 'the end of the worker')]);
    expect(code).toBe(1);
    expect(await queue.counts('work')).toMatchObject({ ready: 1, reserved: 0 });
    startWorker(90);
    const [, again] = await bench.seen('start', 2);
    expect(again).toMatchObject({ attempt: 1 });
  });
});
