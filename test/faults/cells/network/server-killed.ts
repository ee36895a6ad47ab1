import type { FaultCell } from '../../cell.js';
import type { Trial } from '../../trial/trial.js';
import { delivering, pushing, serverOf, steadyLoad, withoutWire } from './network-cells.js';

/** The server dies under load, and comes back on its files: what it has said yes to is there. */
export const serverKilled: FaultCell = {
  name: 'server-killed',
  title: 'server SIGKILL and restart under load',
  needs: { server: true, proxy: false },
  bites: [
    { fault: 'server-killed', while: 'push', times: 1 },
    { fault: 'server-killed', while: 'delivery', times: 1 },
  ],
  reason: (target) =>
    target.name === 'sqs' ? 'the emulator keeps nothing over a kill' : withoutWire(target),
  plan: steadyLoad,
  async inject(trial) {
    await pushing(trial, trial.random.integer(10, 60));
    await killServer(trial);
    await delivering(trial, trial.random.integer(5, 50));
    await killServer(trial);
  },
};

async function killServer(trial: Trial): Promise<void> {
  const server = serverOf(trial);
  const number = trial.fault('server-killed', 'server');
  await server.kill();
  await server.restart();
  trial.healed(number);
}
