import { type FaultCell, NEEDS_NOTHING } from '../../cell.js';
import { everywhere } from './reasons.js';

const ROUNDS = 5;

/** Workers come and go while jobs run, some told to stop before they have begun. */
export const storm: FaultCell = {
  name: 'storm',
  title: 'start and stop storm',
  needs: NEEDS_NOTHING,
  bites: [{ fault: 'told-to-stop', while: 'delivery', times: ROUNDS - 2 }],
  reason: everywhere,
  async inject(trial) {
    for (let round = 0; round < ROUNDS; round += 1) {
      await trial.started(trial.random.integer(4, 12) * (round + 1));
      const { worker } = await trial.busy();
      const newcomer = trial.startWorker();
      trial.tellToStop(worker);
      if (trial.random.chance(0.3)) trial.tellToStop(newcomer);
      if (trial.workers.length < 2) trial.startWorker();
    }
  },
};
