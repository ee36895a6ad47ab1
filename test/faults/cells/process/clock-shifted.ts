import { join } from 'node:path';
import { waitFor } from '../../../support/eventually.js';
import { type FaultCell, NEEDS_NOTHING } from '../../cell.js';
import type { TargetKind } from '../../target.js';

/** Workers whose clocks are an hour ahead and an hour behind share the work, and one of them dies. */
export const clockShifted: FaultCell = {
  name: 'clock-shifted',
  title: "workers' clocks an hour off",
  needs: NEEDS_NOTHING,
  bites: [
    { fault: 'clock-shifted', while: 'anything', times: 2 },
    { fault: 'killed', while: 'delivery', times: 1 },
  ],
  workers: { preload: [join(process.cwd(), 'build/faults/app/clock-shift.js')] },
  reason: ownClock,
  async inject(trial) {
    await waitFor(
      'two workers with other clocks',
      () => trial.ledger.of('fault').filter(({ fault }) => fault === 'clock-shifted').length >= 2,
      60_000,
    );
    await trial.started(trial.random.integer(20, 80));
    const { worker } = await trial.busy();
    await trial.kill(worker);
    trial.startWorker();
  },
};

function ownClock({ name }: TargetKind): string | null {
  if (name === 'sqlite' || name === 'memory') return 'the machine’s clock is its only one';
  return name === 'sqs' ? 'requests signed an hour off are refused' : null;
}
