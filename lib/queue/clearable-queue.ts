import {
  assertQueueName,
  type ClearingBackend,
  isClearing,
  QueueNotClearableException,
} from '../contract/index.js';
import { sentence } from './sentence.js';
import type { Queue } from './queue.js';

/**
 * A queue that can be cleared. Resolving it for a backend that cannot is `QueueNotClearableException`, so only code
 * that clears meets that error.
 *
 * @publicApi
 */
export class ClearableQueue {
  readonly #backend: ClearingBackend;

  constructor(queue: Queue) {
    const { backend, name } = queue.connection;
    if (!isClearing(backend)) {
      throw new QueueNotClearableException(
        `Expected the connection "${name}" to be one that can clear its queues; its backend "${backend.driver}" cannot. ` +
          sentence(backend.whyNot?.clear) +
          "Use a connection that can (docs/backends.md), or the server's own tools.",
      );
    }
    this.#backend = backend;
  }

  /** Discards ready and delayed jobs, never one that a worker holds; resolves with how many this call removed. */
  async clear(queue: string): Promise<number> {
    assertQueueName(queue, 'clear(): queue');
    return this.#backend.clear(queue);
  }
}
