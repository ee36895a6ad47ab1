import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultCell } from '../../cell.js';
import type { Trial } from '../../trial/trial.js';
import { delivering, pushing, serverOf, steadyLoad, withoutWire } from './network-cells.js';

/** The server stands still, once for longer than anybody waits for it, and once for as long as the seed says. */
export const serverStopped: FaultCell = {
  name: 'server-stopped',
  title: 'server SIGSTOP, then SIGCONT',
  needs: { server: true, proxy: false },
  bites: [
    { fault: 'server-stopped', while: 'push', times: 1 },
    { fault: 'server-stopped', while: 'delivery', times: 1 },
  ],
  reason: withoutWire,
  plan: steadyLoad,
  async inject(trial) {
    const leaseMs = trial.target.leaseSeconds * 1_000;
    await pushing(trial, trial.random.integer(10, 60));
    await stopServer(trial, 1.2 * leaseMs);
    await delivering(trial, trial.random.integer(5, 50));
    await stopServer(trial, trial.random.integer(200, 1.5 * leaseMs));
  },
};

async function stopServer(trial: Trial, forMs: number): Promise<void> {
  const server = serverOf(trial);
  const number = trial.fault('server-stopped', 'server', { detail: `${forMs} ms` });
  server.stop();
  await sleep(forMs);
  server.continue();
  trial.healed(number);
}
