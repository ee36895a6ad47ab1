import type { BackendFactory } from '../../contract/index.js';
import { SyncBackend } from './sync-backend.js';

/**
 * Runs each job inside its push, in a scope of its own; the job's error is the push's. Delay, priority and unique key
 * are checked and have no effect. For tests and scripts.
 *
 * @publicApi
 */
export function sync(): BackendFactory {
  return (context) => new SyncBackend(context);
}
