import { type ConformanceHarness, testBackendContext } from '@kinetis/nestjs-queue/testing';
import { mine, MY_CAPABILITIES } from './mine.js';

export const harness: ConformanceHarness = {
  name: 'mine',
  capabilities: MY_CAPABILITIES,
  facilities: [],
  async open({ leaseSeconds }) {
    const backend = await mine({ leaseSeconds })(testBackendContext());
    return { backend, close: () => backend.close() };
  },
};
