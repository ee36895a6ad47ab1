import { type FaultCell, NEEDS_NOTHING } from '../../cell.js';
import { needsLeases } from './reasons.js';

const LEASE_MS = 2_000;

/** Without renewal, jobs that end just before or just after their lease: settlement and reclaim meet. */
export const leaseRace: FaultCell = {
  name: 'lease-race',
  title: 'lease expiry race',
  needs: NEEDS_NOTHING,
  bites: [{ fault: 'lease-ended', while: 'settlement', times: 1 }],
  workers: { args: ['--no-renew'] },
  reason: needsLeases,
  plan: (random, job) =>
    job % 8 === 0 ? { kind: 'slow-once', durationMs: random.integer(0.9 * LEASE_MS, 1.15 * LEASE_MS) } : {},
  async inject(trial) {
    trial.fault('lease-ended', 'workers');
    await trial.started(trial.jobs);
  },
};
