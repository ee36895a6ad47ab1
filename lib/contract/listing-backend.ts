import type { QueueBackend } from './queue-backend.js';

/** A backend that can name its queues. Declared by `capabilities.listQueues`. */
export interface ListingBackend extends QueueBackend {
  /** Names of queues that hold jobs, sorted. */
  queues(): Promise<readonly string[]>;
}

export function canListQueues(backend: QueueBackend): backend is ListingBackend {
  return backend.capabilities.listQueues;
}
