import { randomBytes } from 'node:crypto';
import { memory, MEMORY_CAPABILITIES, type MemoryOptions } from '../../../lib/backends/memory/index.js';
import type { QueueBackend } from '../../../lib/contract/index.js';
import {
  type ConformanceHarness,
  malformedKinds,
  type OpenOptions,
  type OpenedStore,
  testBackendContext,
} from '../../../lib/testing.js';

export interface OpenedMemory extends OpenedStore {
  readonly backend: QueueBackend;
}

/** The memory backend over a clock that only moves when it is told to. */
export async function openMemory(
  { leaseSeconds }: OpenOptions,
  options: MemoryOptions = {},
): Promise<OpenedMemory> {
  let now = Date.now();
  const backend = await memory({ leaseSeconds, clock: { now: () => now }, ...options })(testBackendContext());
  return {
    backend,
    advance(seconds) {
      now += Math.round(seconds * 1_000);
    },
    // It stores what it is handed, whatever that is: a foreign writer could only be this process itself.
    async storeRaw({ queue, header, body }) {
      const job = { id: randomBytes(16).toString('hex'), queue, header, body, delaySeconds: 0 };
      await backend.store([job as never]);
    },
    // Its store is the process: another consumer has the same backend.
    second: async () => backend,
    close: () => backend.close(),
  };
}

export const memoryHarness: ConformanceHarness = {
  name: 'memory',
  capabilities: MEMORY_CAPABILITIES,
  facilities: ['clock', 'storeRaw', 'second'],
  // It numbers transitions itself: what stands in the serial of a header that it is handed is never read.
  cannotHold: malformedKinds.map(({ kind }) => kind).filter((kind) => kind.startsWith('header.serial:')),
  open: (options) => openMemory(options),
};

/** The same without a failed store: what is given up on is removed. */
export const forgetfulMemoryHarness: ConformanceHarness = {
  ...memoryHarness,
  name: 'memory, failedJobs: false',
  capabilities: { ...MEMORY_CAPABILITIES, failedJobs: 'no' },
  open: (options) => openMemory(options, { failedJobs: false }),
};

/** The same on the machine's clock, which nobody can move. */
export const realTimeMemoryHarness: ConformanceHarness = {
  name: 'memory, in real time',
  capabilities: MEMORY_CAPABILITIES,
  facilities: ['second'],
  async open({ leaseSeconds }) {
    const backend = await memory({ leaseSeconds })(testBackendContext());
    return { backend, second: async () => backend, close: () => backend.close() };
  },
};
