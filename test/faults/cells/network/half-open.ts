import type { EntryKind } from '../../ledger/entries.js';
import type { FaultCell } from '../../cell.js';
import type { Role } from '../../target.js';
import type { Trial } from '../../trial/trial.js';
import { delivering, pushing, steadyLoad, wireOf, withoutWire } from './network-cells.js';

/** So much of it can only come over a connection that was made later: more than all slots and lanes had in hand. */
const PROOF_OF_LIFE = 16;
const DEADLINE_MS = 60_000;

/** The server has lost every connection of a role, and nobody tells: who uses them has to find out, and to connect anew. */
export const halfOpen: FaultCell = {
  name: 'half-open',
  title: 'half-open connection',
  needs: { server: false, proxy: true },
  bites: [
    { fault: 'half-open', while: 'push', times: 1 },
    { fault: 'half-open', while: 'delivery', times: 1 },
  ],
  reason: withoutWire,
  plan: steadyLoad,
  async inject(trial) {
    await pushing(trial, trial.random.integer(10, 60));
    await openHalf(trial, 'pusher', 'push-ok');
    await delivering(trial, trial.random.integer(5, 50));
    await openHalf(trial, 'workers', 'start');
  },
};

async function openHalf(trial: Trial, role: Role, sign: EntryKind): Promise<void> {
  const wire = wireOf(trial, role);
  const number = trial.fault('half-open', role);
  wire.halfOpen();
  const goal = trial.ledger.of(sign).length + PROOF_OF_LIFE;
  await trial.ledger.seen(sign, goal, { deadlineMs: DEADLINE_MS });
  wire.heal();
  trial.healed(number);
}
