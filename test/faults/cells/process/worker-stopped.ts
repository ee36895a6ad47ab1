import { waitFor } from '../../../support/eventually.js';
import { type FaultCell, NEEDS_NOTHING } from '../../cell.js';
import type { Trial } from '../../trial/trial.js';
import { everywhere } from './reasons.js';

/** A worker stands still for longer than its leases, as a virtual machine may, and comes back to jobs that are others'. */
export const workerStopped: FaultCell = {
  name: 'worker-stopped',
  title: 'SIGSTOP past the lease, then SIGCONT',
  needs: NEEDS_NOTHING,
  bites: [{ fault: 'stopped', while: 'delivery', times: 1 }],
  reason: everywhere,
  plan: (random, job) => (job % 12 === 5 ? { durationMs: random.integer(800, 1_500) } : {}),
  async inject(trial) {
    await trial.started(trial.random.integer(10, 60));
    const { worker, start } = await trial.busy();
    const number = trial.fault('stopped', worker.name);
    worker.signal('SIGSTOP');
    try {
      await takenOver(trial, start.id, worker.name);
    } finally {
      worker.signal('SIGCONT');
      trial.healed(number);
    }
  },
};

/** Until another worker has the job. Where nothing expires it may never: there, until two leases have passed. */
async function takenOver({ ledger, target }: Trial, id: string, from: string): Promise<void> {
  const end = target.rules.leases ? Infinity : performance.now() + 2_000 * target.leaseSeconds;
  await waitFor('another worker to take the job over', () => {
    const isTaken = ledger.of('start').some((entry) => entry.id === id && entry.process !== from);
    return isTaken || performance.now() > end;
  });
}
