import { type FaultCell, NEEDS_NOTHING } from '../../cell.js';
import { givenUp } from './given-up.js';
import { everywhere } from './reasons.js';

const POISON: readonly number[] = [20, 70, 120, 170];

/** Jobs that throw at every attempt end in the failed store, and hold nobody up. */
export const poisonThrows: FaultCell = {
  name: 'poison-throws',
  title: 'poison: throws always',
  needs: NEEDS_NOTHING,
  bites: [{ fault: 'poisoned', while: 'anything', times: POISON.length }],
  reason: everywhere,
  plan: (_random, job) => (POISON.includes(job) ? { kind: 'throws' } : {}),
  async inject(trial) {
    await givenUp(trial, POISON, 'exhausted');
  },
};
