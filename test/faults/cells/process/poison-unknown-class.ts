import { type FaultCell, NEEDS_NOTHING } from '../../cell.js';
import { givenUp } from './given-up.js';
import { everywhere } from './reasons.js';

const POISON: readonly number[] = [25, 100, 175];

/** Jobs whose class no worker lists are given up on, here without the grace of a deploy. */
export const poisonUnknownClass: FaultCell = {
  name: 'poison-unknown-class',
  title: 'poison: unknown class',
  needs: NEEDS_NOTHING,
  bites: [{ fault: 'poisoned', while: 'anything', times: POISON.length }],
  workers: { environment: { QUEUE_SCHEMA_GRACE: '0' } },
  reason: everywhere,
  plan: (_random, job) => (POISON.includes(job) ? { kind: 'unknown-class' } : {}),
  async inject(trial) {
    await givenUp(trial, POISON, 'unknown-class');
  },
};
