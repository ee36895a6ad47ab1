import { memory } from '../../../lib/index.js';
import { openDirectQueue } from '../direct-queue.js';
import { leftoversOf } from '../leftovers.js';
import { lendBackend } from '../lent/lend-backend.js';
import type { TargetKind } from '../target.js';
import { FENCED_LEASES } from './delivery-rules.js';
import { faultEnvironment } from './fault-environment.js';

/** The memory of the runner's own process, lent to the processes of a trial: it has no server that could fail. */
export const memoryTarget: TargetKind = {
  name: 'memory',
  rules: FENCED_LEASES,
  async open({ leaseSeconds }) {
    const direct = await openDirectQueue(memory({ leaseSeconds }));
    const { path, close } = await lendBackend(direct.backend);
    return {
      name: 'memory',
      rules: memoryTarget.rules,
      leaseSeconds,
      environment: () => faultEnvironment({ driver: 'lent', options: { path } }),
      server: null,
      proxies: null,
      open: async () => ({ ...direct, close: async () => undefined }),
      leftovers: () => leftoversOf(direct.backend),
      async close() {
        await close();
        await direct.close();
      },
    };
  },
};
