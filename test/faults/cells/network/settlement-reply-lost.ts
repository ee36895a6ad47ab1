import type { FaultCell } from '../../cell.js';
import { delivering, steadyLoad, wireOf, withoutWire } from './network-cells.js';

const LOSSES = 4;
/** An ack that is not answered is told as sent a moment before it passes the wire, and its loss may come after that. */
const BITES = 2;

/**
 * A settlement is carried out and its worker hears nothing of it. Where an ack is not answered (RabbitMQ) the ack itself is
 * lost, with its connection.
 */
export const settlementReplyLost: FaultCell = {
  name: 'settlement-reply-lost',
  title: 'lost reply of a settlement',
  needs: { server: false, proxy: true },
  bites: [{ fault: 'reply-dropped', while: 'settlement', times: BITES }],
  reason: withoutWire,
  plan: steadyLoad,
  async inject(trial) {
    for (let loss = 1; loss <= LOSSES; loss += 1) {
      await delivering(trial, trial.random.integer(3, 25));
      const number = trial.fault('reply-dropped', 'workers');
      await wireOf(trial, 'workers').dropReply();
      trial.healed(number);
      if (trial.target.rules.answersAcks) await trial.ledger.seen('settle-unknown', loss);
    }
  },
};
