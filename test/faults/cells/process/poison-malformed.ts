import { newHeader } from '../../../../lib/contract/index.js';
import { type FaultCell, NEEDS_NOTHING } from '../../cell.js';
import { FAULT_QUEUE } from '../../target.js';
import { everywhere } from './reasons.js';

const BODIES = ['', 'no JSON', '{"id":1', '[]'];

/** Bytes that no push would store are taken out and told, and hold nobody up. */
export const poisonMalformed: FaultCell = {
  name: 'poison-malformed',
  title: 'poison: malformed bytes',
  needs: NEEDS_NOTHING,
  bites: [{ fault: 'poisoned', while: 'anything', times: BODIES.length - 1 }],
  reason: everywhere,
  async inject(trial) {
    const { backend, close } = await trial.target.open();
    let stored = 0;
    for (const body of BODIES) {
      await trial.started(trial.random.integer(1, 30) * (stored + 1));
      const id = Array.from({ length: 32 }, () => trial.random.integer(0, 15).toString(16)).join('');
      const header = newHeader({ leaseSeconds: null, priority: 0, uniqueKey: null });
      const [outcome] = await backend.store([{ id, queue: FAULT_QUEUE, header, body, delaySeconds: 0 }]);
      // Not every server takes an empty text.
      if (outcome?.status !== 'applied') continue;
      stored += 1;
      trial.fault('poisoned', 'queue', { detail: 'malformed' });
    }
    await close();
    await trial.ledger.seen('malformed', stored);
  },
};
