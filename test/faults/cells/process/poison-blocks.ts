import { waitFor } from '../../../support/eventually.js';
import { type FaultCell, NEEDS_NOTHING } from '../../cell.js';
import { everywhere } from './reasons.js';

const POISON: readonly number[] = [50, 130];

/** Jobs that keep the event loop for longer than a lease, with whatever else their worker has in hand. */
export const poisonBlocks: FaultCell = {
  name: 'poison-blocks',
  title: 'poison: blocks the loop past the lease',
  needs: NEEDS_NOTHING,
  bites: [{ fault: 'blocked', while: 'delivery', times: POISON.length }],
  reason: everywhere,
  plan: (_random, job) => (POISON.includes(job) ? { kind: 'blocks' } : {}),
  async inject({ ledger }) {
    await waitFor(
      'the blocked loops to turn again',
      () => ledger.of('healed').length >= POISON.length,
      60_000,
    );
  },
};
