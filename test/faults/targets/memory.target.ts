import { memory } from '../../../lib/index.js';
import { FAULT_QUEUE, type TargetKind } from '../target.js';
import { FENCED_LEASES } from './delivery-rules.js';
import { openDirectQueue } from '../direct-queue.js';
import { leftoversOf } from '../leftovers.js';

/** The memory of the runner's own process: no process, server or wire of its own. */
export const memoryTarget: TargetKind = {
  name: 'memory',
  rules: { ...FENCED_LEASES, durable: false },
  async open({ leaseSeconds }) {
    const direct = await openDirectQueue(memory({ leaseSeconds }));
    return {
      name: 'memory',
      rules: memoryTarget.rules,
      leaseSeconds,
      environment() {
        throw new Error(`The queue "${FAULT_QUEUE}" on memory is no other process's.`);
      },
      server: null,
      proxies: null,
      open: async () => ({ ...direct, close: async () => undefined }),
      leftovers: () => leftoversOf(direct.backend),
      close: () => direct.close(),
    };
  },
};
