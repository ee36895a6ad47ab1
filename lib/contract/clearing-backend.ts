import type { QueueBackend } from './queue-backend.js';

/** A backend that can discard waiting jobs. Declared by `capabilities.clear`. */
export interface ClearingBackend extends QueueBackend {
  /**
   * Removes ready and delayed jobs, never a reservation, even an expired one, and frees their unique keys.
   * Resolves with how many this call removed.
   */
  clear(queue: string): Promise<number>;
}

export function isClearing(backend: QueueBackend): backend is ClearingBackend {
  return backend.capabilities.clear;
}
