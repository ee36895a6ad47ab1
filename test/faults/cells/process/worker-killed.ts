import { type FaultCell, NEEDS_NOTHING } from '../../cell.js';
import { everywhere } from './reasons.js';

const KILLS = 2;

/** Workers die by SIGKILL while they run jobs, one after the other, each replaced. */
export const workerKilled: FaultCell = {
  name: 'worker-killed',
  title: 'worker SIGKILL in mid-job',
  needs: NEEDS_NOTHING,
  bites: [{ fault: 'killed', while: 'delivery', times: KILLS }],
  reason: everywhere,
  async inject(trial) {
    for (let kill = 0; kill < KILLS; kill += 1) {
      await trial.started(trial.random.integer(10, 50) * (kill + 1));
      const { worker } = await trial.busy();
      await trial.kill(worker);
      trial.startWorker();
    }
  },
};
