import { QueueConfigurationException } from '../../contract/index.js';
import type { Queue } from '../../queue/index.js';

/** Refuses a command without `--queue` where the backend can only read the failed jobs of one queue at a time. */
export function assertQueueNamed(queue: Queue, given: readonly string[] | string | undefined): void {
  const { backend, name } = queue.connection;
  if (given !== undefined || backend.capabilities.failedJobs !== 'scan') return;
  throw new QueueConfigurationException(
    `--queue: expected the name of a queue, came nothing: the backend "${backend.driver}" of the connection "${name}" ` +
      'keeps the failed jobs of each queue apart and can only read them one queue at a time. Name it, --queue=mail.',
  );
}
