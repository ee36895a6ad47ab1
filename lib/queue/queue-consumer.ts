import { type QueuedJob, QueueNotConsumableException, StaleJobHandleException } from '../contract/index.js';
import type { Queue } from './queue.js';
import type { QueueConnection } from './queue-connection.js';
import type { ReserveAnswer } from './receiver.js';
import type { DelayOption } from './settler.js';

const NEVER = new AbortController().signal;

/**
 * Takes deliveries by hand, without a worker: for tests, migrations and tools. Whoever reserves must settle; a delivery
 * left alone comes back when its lease ends.
 *
 * @publicApi
 */
export class QueueConsumer {
  readonly #connection: QueueConnection;

  constructor(queue: Queue) {
    const { connection } = queue;
    if (!connection.backend.capabilities.delivers) {
      throw new QueueNotConsumableException(
        `Expected the connection "${connection.name}" to hand out deliveries; its backend ` +
          `"${connection.backend.driver}" runs a job inside its push. Use a connection whose backend stores jobs.`,
      );
    }
    this.#connection = connection;
  }

  /**
   * The next job of `queues`, in list order. `timeoutSeconds` 0 waits without a deadline, a positive number looks that
   * long; null when none came or `signal` aborted. Throws `MalformedJobSettledException` for an item that is no job.
   */
  pop(
    timeoutSeconds: number,
    queues: readonly string[],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<QueuedJob | null> {
    return this.#connection.pop(timeoutSeconds, queues, options.signal ?? NEVER);
  }

  /** One immediate sweep for up to `limit` items. Never throws for one item: each has its answer, in order. */
  reserve(queues: readonly string[], limit: number): Promise<ReserveAnswer[]> {
    return this.#connection.reserve(queues, limit);
  }

  async ack(job: QueuedJob): Promise<void> {
    const followUps = this.#connection.followUps.of(job);
    try {
      await this.#connection.settler.ack(job, followUps.jobs, followUps.end);
      followUps.end();
    } catch (error) {
      followUps.end(error, error instanceof StaleJobHandleException ? 'refused' : 'unknown');
      throw error;
    }
  }

  release(job: QueuedJob, options: DelayOption = {}): Promise<void> {
    return this.#connection.settler.release(job, options);
  }

  defer(job: QueuedJob, options: DelayOption = {}): Promise<void> {
    return this.#connection.settler.defer(job, options);
  }

  fail(job: QueuedJob, error: unknown): Promise<void> {
    return this.#connection.settler.fail(job, error);
  }

  /** The lease ends `seconds` from now, also when that is sooner. */
  extend(job: QueuedJob, options: { readonly seconds: number }): Promise<void> {
    return this.#connection.settler.extend(job, options);
  }
}
