import type { FaultCell } from '../../cell.js';
import { delivering, pushing, steadyLoad, wireOf, withoutWire } from './network-cells.js';

const SLOW_STARTS = 60;

/** Every byte is late, and messages come in pieces; nothing is lost. */
export const slowWire: FaultCell = {
  name: 'slow-wire',
  title: 'slow wire',
  needs: { server: false, proxy: true },
  bites: [
    { fault: 'slow', while: 'push', times: 1 },
    { fault: 'slow', while: 'delivery', times: 1 },
  ],
  reason: withoutWire,
  plan: steadyLoad,
  async inject(trial) {
    await pushing(trial, trial.random.integer(10, 60));
    const delayMs = trial.random.integer(5, 40);
    const number = trial.fault('slow', 'server', { detail: `${delayMs} ms each way` });
    for (const role of ['pusher', 'workers'] as const) wireOf(trial, role).slow({ delayMs });
    await delivering(trial, SLOW_STARTS);
    for (const role of ['pusher', 'workers'] as const) wireOf(trial, role).heal();
    trial.healed(number);
  },
};
