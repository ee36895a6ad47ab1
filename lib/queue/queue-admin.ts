import {
  assertQueueName,
  canBrowse,
  canPause,
  keepsFailedJobs,
  type PausingBackend,
  QueueNotAdministrableException,
} from '../contract/index.js';
import { FailedJobs } from './failed-jobs.js';
import { JobBrowser } from './job-browser.js';
import type { QueueConnection } from './queue-connection.js';
import type { Queue } from './queue.js';
import { sentence } from './sentence.js';

/**
 * Looks after failed jobs, looks at stored ones, pauses and resumes queues, as far as the backend can. Resolving it for
 * a backend that can do none of that is `QueueNotAdministrableException`.
 *
 * @publicApi
 */
export class QueueAdmin {
  readonly #connection: QueueConnection;

  constructor(queue: Queue) {
    this.#connection = queue.connection;
    const { backend, name } = this.#connection;
    if (!keepsFailedJobs(backend) && !canBrowse(backend) && !canPause(backend)) {
      throw new QueueNotAdministrableException(
        `Expected the connection "${name}" to keep failed jobs, to show its jobs or to pause; its backend ` +
          `"${backend.driver}" can do none of these. ${sentence(backend.whyNot?.failedJobs)}` +
          'Use a connection whose backend can (docs/backends.md).',
      );
    }
  }

  /** Failed jobs. Throws `QueueNotAdministrableException` where the backend keeps none. */
  get failed(): FailedJobs {
    const { backend } = this.#connection;
    if (keepsFailedJobs(backend)) return new FailedJobs(backend);
    throw this.#cannot('failed', 'keeps no failed jobs', backend.whyNot?.failedJobs);
  }

  /** Waiting and reserved jobs. Throws `QueueNotAdministrableException` where the backend cannot show them. */
  get browse(): JobBrowser {
    const { backend } = this.#connection;
    if (canBrowse(backend)) return new JobBrowser(backend);
    throw this.#cannot('browse', 'cannot show its jobs one by one');
  }

  /** Nothing is reserved from the queue by any worker until it is resumed; pushes and settlements go on. */
  async pause(queue: string): Promise<void> {
    assertQueueName(queue, 'pause(): queue');
    await this.#pausing('pause()').pauseQueue(queue);
  }

  async resume(queue: string): Promise<void> {
    assertQueueName(queue, 'resume(): queue');
    await this.#pausing('resume()').resumeQueue(queue);
  }

  #pausing(what: string): PausingBackend {
    const { backend } = this.#connection;
    if (canPause(backend)) return backend;
    throw this.#cannot(what, 'cannot pause a queue for all workers');
  }

  #cannot(what: string, why: string, because?: string): QueueNotAdministrableException {
    const { backend, name } = this.#connection;
    return new QueueNotAdministrableException(
      `${what}: expected a backend that can do it; "${backend.driver}" of connection "${name}" ${why}. ` +
        `${sentence(because)}Use a connection whose backend can (docs/backends.md).`,
    );
  }
}
