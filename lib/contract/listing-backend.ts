import type { QueueBackend } from './queue-backend.js';

/** A backend that can name its queues. Declared by `capabilities.listQueues`. */
export interface ListingBackend extends QueueBackend {
  /** Names of queues that hold ready, delayed or reserved jobs, sorted; failed ones do not count. */
  queues(): Promise<readonly string[]>;
}

export function canListQueues(backend: QueueBackend): backend is ListingBackend {
  return backend.capabilities.listQueues;
}
