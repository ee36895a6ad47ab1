import type { FaultCell } from '../../cell.js';
import type { Trial } from '../../trial/trial.js';
import type { Role } from '../../target.js';
import { delivering, pushing, steadyLoad, wireOf, withoutWire } from './network-cells.js';

const CUTS = 3;

/** Every connection of a role is cut, again and again, in the middle of whatever it carries. */
export const connectionCut: FaultCell = {
  name: 'connection-cut',
  title: 'connection cut',
  needs: { server: false, proxy: true },
  bites: [
    { fault: 'cut', while: 'push', times: 1 },
    { fault: 'cut', while: 'delivery', times: 1 },
  ],
  reason: withoutWire,
  plan: steadyLoad,
  async inject(trial) {
    for (let cut = 0; cut < CUTS; cut += 1) {
      await pushing(trial, trial.random.integer(5, 25));
      cutWire(trial, 'pusher');
    }
    for (let cut = 0; cut < CUTS; cut += 1) {
      await delivering(trial, trial.random.integer(5, 25));
      cutWire(trial, 'workers');
    }
  },
};

function cutWire(trial: Trial, role: Role): void {
  trial.fault('cut', role);
  wireOf(trial, role).cut();
}
