import type { FaultCell } from '../../cell.js';
import { pushing, steadyLoad, wireOf, withoutWire } from './network-cells.js';

const LOSSES = 4;

/** A push is carried out, and whoever pushed hears nothing of it and pushes again. */
export const pushReplyLost: FaultCell = {
  name: 'push-reply-lost',
  title: 'lost reply of a push',
  needs: { server: false, proxy: true },
  bites: [{ fault: 'reply-dropped', while: 'push', times: LOSSES }],
  reason: withoutWire,
  plan: steadyLoad,
  async inject(trial) {
    for (let loss = 1; loss <= LOSSES; loss += 1) {
      await pushing(trial, trial.random.integer(3, 25));
      const number = trial.fault('reply-dropped', 'pusher');
      await wireOf(trial, 'pusher').dropReply();
      trial.healed(number);
      await trial.ledger.seen('push-unknown', loss);
    }
  },
};
