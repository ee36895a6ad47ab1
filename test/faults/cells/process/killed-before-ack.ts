import { waitFor } from '../../../support/eventually.js';
import { type FaultCell, NEEDS_NOTHING } from '../../cell.js';
import { everywhere } from './reasons.js';

const FATAL_JOBS: readonly number[] = [45, 120];

/** Jobs whose worker dies between their effect and their ack: each runs again, and its effect is made twice. */
export const killedBeforeAck: FaultCell = {
  name: 'killed-before-ack',
  title: 'SIGKILL between effect and ack',
  needs: NEEDS_NOTHING,
  bites: [{ fault: 'killed', while: 'settlement', times: FATAL_JOBS.length }],
  reason: everywhere,
  plan: (_random, job) => (FATAL_JOBS.includes(job) ? { kind: 'dies-after-effect' } : {}),
  async inject(trial) {
    await waitFor(
      'the deaths of workers',
      () => trial.ledger.of('fault').length >= FATAL_JOBS.length,
      60_000,
    );
  },
};
