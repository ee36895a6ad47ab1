import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepsFailedJobs } from '../../lib/contract/index.js';
import type { Queue } from '../../lib/queue/index.js';
import { Deaf, Exit, KILL_POINTS, Step } from '../support/apps/failing.jobs.js';
import { ProcessBench } from '../support/process-bench.js';
import type { WorkerProcess } from '../support/worker-process.js';
import { waitFor } from '../support/eventually.js';

const LEASE_SECONDS = 1;

let bench: ProcessBench;
let queue: Queue;

beforeEach(async () => {
  bench = new ProcessBench();
  queue = await bench.open(LEASE_SECONDS);
});

afterEach(() => bench.close());

const startWorker = (...args: string[]): WorkerProcess =>
  bench.startWorker('failing-worker', { leaseSeconds: LEASE_SECONDS, args });

/** Keeps so many workers alive, starting another for each that ended, until `done`; answers how many had ended. */
async function supervise(
  count: number,
  args: readonly string[],
  done: () => Promise<boolean>,
): Promise<number> {
  const alive = (worker: WorkerProcess): boolean =>
    worker.child.exitCode === null && worker.child.signalCode === null;
  await waitFor(
    'the end of the work of workers that are killed',
    async () => {
      const missing = count - bench.workers.filter(alive).length;
      for (let started = 0; started < missing; started += 1) startWorker(...args);
      return done();
    },
    120_000,
  );
  return bench.workers.filter((worker) => !alive(worker)).length;
}

describe('a chain whose worker is killed at every step', () => {
  const CHAINS = 5;
  const STEPS = 10;
  const KILLS = CHAINS * STEPS;

  it(
    `loses no step and runs none again after its ack, ${KILLS} kills long`,
    { timeout: 150_000 },
    async () => {
      const ids = new Map<string, string>();
      for (let chain = 0; chain < CHAINS; chain += 1) {
        const steps = Array.from({ length: STEPS }, (_, step) => {
          return new Step(chain, step, KILL_POINTS[(chain + step) % KILL_POINTS.length] ?? KILL_POINTS[0]);
        });
        for (const [step, id] of (await queue.chain(steps)).entries()) ids.set(id, `${chain}.${step}`);
      }
      // A worker may be killed between the ack and its own line of it, so the store is asked what is left.
      const killed = await supervise(3, ['--queue=steps'], async () => {
        const { ready, delayed, reserved } = await queue.counts('steps');
        return ready + (delayed ?? 0) + (reserved ?? 0) === 0;
      });
      const seen: string[] = [];
      const acked = new Set<string>();
      for (const { event, id = '' } of bench.ledger()) {
        if (event === 'JobSucceeded') acked.add(id);
        if (event !== 'start') continue;
        expect(acked.has(id), `step ${ids.get(id)} ran again after its ack`).toBe(false);
        if (!seen.includes(id)) seen.push(id);
      }
      console.log(
        `${killed} workers were killed over ${ids.size} steps; ${bench.lines('start').length} deliveries`,
      );
      expect(killed).toBeGreaterThanOrEqual(KILLS);
      expect(new Set(seen)).toEqual(new Set(ids.keys()));
      for (let chain = 0; chain < CHAINS; chain += 1) {
        const order = seen.map((id) => ids.get(id) ?? '').filter((name) => name.startsWith(`${chain}.`));
        expect(order).toEqual(Array.from({ length: STEPS }, (_, step) => `${chain}.${step}`));
      }
    },
  );
});

describe('a job that ends its worker each time', () => {
  it('ends in the failed store after the crash allowance, with its cause', { timeout: 60_000 }, async () => {
    const id = await queue.push(new Exit());
    const { backend } = queue.connection;
    if (!keepsFailedJobs(backend)) throw new Error('Expected SQLite to keep failed jobs.');
    await supervise(1, ['--queue=exits'], async () => (await backend.findFailed(id)) !== null);
    expect(await backend.findFailed(id)).toMatchObject({
      queue: 'exits',
      failure: { cause: 'crash-limit', error: 'MaxAttemptsExceededException' },
    });
    // One attempt that the cap allows, and three crashes beyond it.
    expect(bench.lines('start').map((line) => line.attempt)).toEqual([1, 2, 3, 4]);
    const [told] = await bench.seen('JobFailedPermanently');
    expect(told).toMatchObject({ id, cause: 'crash-limit' });
  });
});

describe('a handler that ignores its signal', () => {
  it(
    'is settled once, keeps its slot, and ends the worker with 1 when all slots are abandoned',
    { timeout: 60_000 },
    async () => {
      await queue.pushMany([new Deaf(), new Deaf()]);
      const worker = startWorker('--queue=deaf', '--concurrency=2');
      await bench.seen('aborted', 2);
      expect(await worker.exit()).toBe(1);
      expect(bench.lines('start')).toHaveLength(2);
      expect(bench.lines('JobFailedPermanently')).toHaveLength(2);
      expect(await queue.counts('deaf')).toMatchObject({ ready: 0, reserved: 0, failed: 2 });
    },
  );
});
