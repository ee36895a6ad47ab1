import { sync, SYNC_CAPABILITIES } from '../../../lib/backends/sync/index.js';
import { type ConformanceHarness, testBackendContext } from '../../../lib/testing.js';

/** It stores nothing, so nothing of a store can be asked of it. */
export const syncHarness: ConformanceHarness = {
  name: 'sync',
  capabilities: SYNC_CAPABILITIES,
  facilities: [],
  async open() {
    const backend = await sync()(testBackendContext());
    return { backend, close: () => backend.close() };
  },
};
