import { waitFor } from '../../../support/eventually.js';
import { type FaultCell, NEEDS_NOTHING } from '../../cell.js';
import type { Busy, Trial } from '../../trial/trial.js';
import { everywhere } from './reasons.js';

const LONG_JOBS: readonly number[] = [30, 60, 90];
const LONG_MS = 4_000;

/** One worker is told to stop in mid-job and finishes it; another gets a second signal, and gives its job back. */
export const toldToStop: FaultCell = {
  name: 'told-to-stop',
  title: 'SIGTERM in mid-job, then a second',
  needs: NEEDS_NOTHING,
  bites: [
    { fault: 'told-to-stop', while: 'delivery', times: 2 },
    { fault: 'forced-to-stop', while: 'delivery', times: 1 },
  ],
  reason: everywhere,
  plan: (_random, job) => (LONG_JOBS.includes(job) ? { kind: 'slow-once', durationMs: LONG_MS } : {}),
  async inject(trial) {
    await trial.started(trial.random.integer(5, 20));
    const { worker: first } = await trial.busy();
    trial.tellToStop(first);
    trial.startWorker();
    const { worker: second } = await longJob(trial);
    trial.tellToStop(second);
    // Two signals at once are one to the kernel.
    await waitFor('the worker to hear of the first', () => second.output.includes('worker.stopping'));
    trial.forceToStop(second);
    trial.startWorker();
    const [{ code }] = await Promise.all([second.exited(), first.exited()]);
    if (code !== 1) throw new Error(`Expected 1 of a worker that was forced to stop, came ${String(code)}.`);
  },
};

function longJob(trial: Trial): Promise<Busy> {
  return waitFor(
    'a long job under way',
    () => trial.busyNow().find(({ start }) => LONG_JOBS.includes(start.job)),
    30_000,
  );
}
