import { sync, SYNC_CAPABILITIES } from '../../../lib/backends/sync/index.js';
import type { ConformanceHarness } from '../../../lib/testing.js';
import { bareContext } from '../bare-context.js';

/** It stores nothing, so nothing of a store can be asked of it. */
export const syncHarness: ConformanceHarness = {
  name: 'sync',
  capabilities: SYNC_CAPABILITIES,
  facilities: [],
  async open() {
    const backend = await sync()(bareContext());
    return { backend, close: () => backend.close() };
  },
};
