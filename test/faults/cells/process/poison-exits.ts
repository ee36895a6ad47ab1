import { waitFor } from '../../../support/eventually.js';
import { type FaultCell, NEEDS_NOTHING } from '../../cell.js';
import { givenUp } from './given-up.js';
import { everywhere } from './reasons.js';

const POISON = 60;
const EXITS = 2;

/** A job that ends each process that runs it is given up on where deaths are counted, and what ran beside it is not. */
export const poisonExits: FaultCell = {
  name: 'poison-exits',
  title: 'poison: exits the process',
  needs: NEEDS_NOTHING,
  bites: [{ fault: 'exited', while: 'delivery', times: EXITS }],
  workers: { environment: { QUEUE_CRASH_ALLOWANCE: '1' } },
  reason: everywhere,
  plan: (_random, job) => (job === POISON ? { kind: 'exits' } : {}),
  async inject(trial) {
    const exits = (): number => trial.ledger.of('fault').filter(({ fault }) => fault === 'exited').length;
    await waitFor(`${EXITS} workers to end`, () => exits() >= EXITS, 60_000);
    if (trial.target.rules.countsCrashes) await givenUp(trial, [POISON], 'crash-limit');
  },
};
