import type { QueueBackend } from './queue-backend.js';

/**
 * A backend that can hold a queue for all workers: while it is paused nothing is reserved from it, pushes and
 * settlements go on. Declared by `capabilities.pause`; `count()` shows it.
 */
export interface PausingBackend extends QueueBackend {
  pauseQueue(queue: string): Promise<void>;
  resumeQueue(queue: string): Promise<void>;
}

export function canPause(backend: QueueBackend): backend is PausingBackend {
  return backend.capabilities.pause;
}
