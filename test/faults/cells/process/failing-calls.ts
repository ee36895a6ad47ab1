import { type FaultCell, NEEDS_NOTHING } from '../../cell.js';
import { everywhere } from './reasons.js';

const FAILING = { FAULT_FAILING: '0.05' };

/** One call of the backend in twenty fails: refused, never sent, or carried out and not answered. */
export const failingCalls: FaultCell = {
  name: 'failing-calls',
  title: 'errors injected into 5 % of calls',
  needs: NEEDS_NOTHING,
  bites: [{ fault: 'injected', while: 'anything', times: 5 }],
  workers: { environment: FAILING },
  pusherEnvironment: FAILING,
  reason: everywhere,
  async inject(trial) {
    await trial.started(trial.jobs);
  },
};
