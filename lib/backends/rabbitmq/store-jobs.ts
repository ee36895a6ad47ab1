import type { NewJob, StoreOutcome } from '../../contract/index.js';
import type { RabbitMqBackendParts } from './rabbitmq-backend-parts.js';
import { type MessageToSend, sendMessage } from './send-message.js';
import { levelOf, newHeaders } from './topology/index.js';

/** Publishes jobs, each by itself, all at the same time and those of one queue in order. */
export function storeJobs(
  parts: RabbitMqBackendParts,
  jobs: readonly NewJob[],
): Promise<readonly StoreOutcome[]> {
  const { maxPriority } = parts.settings.topology;
  return Promise.all(jobs.map((job) => sendMessage(parts, 'push()', messageOf(job, maxPriority))));
}

export function messageOf(job: NewJob, maxPriority: number | null): MessageToSend {
  return {
    queue: job.queue,
    to: 'work',
    delaySeconds: job.delaySeconds,
    content: Buffer.from(job.body),
    headers: newHeaders(job),
    level: levelOf(job.header, maxPriority),
  };
}
