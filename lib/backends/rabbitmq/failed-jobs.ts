import type { GetMessage } from 'amqplib';
import {
  ConnectionFailed,
  type FailedJobsPage,
  type FailedJobsQuery,
  InvalidQueueArgumentException,
  MAX_FAILED_SCAN,
  type RetryAllResult,
  type RetryOutcome,
  type StoredFailedJob,
} from '../../contract/index.js';
import { translateError } from './broker-errors.js';
import { failedJobIn } from './dead-letter.js';
import { DeadLetters } from './dead-letters.js';
import type { DeliveryChannel } from './delivery-channel.js';
import type { RabbitMqBackendParts } from './rabbitmq-backend-parts.js';
import { receivedContent } from './received-content.js';
import { sendMessage } from './send-message.js';
import { deadQueueName, levelOf, retriedHeaders, workQueueName } from './topology/index.js';

/** The failed store: one queue of dead letters for each queue, which can only be read from its oldest message on. */
export class RabbitMqFailedJobs {
  private readonly letters: DeadLetters;

  constructor(
    private readonly parts: RabbitMqBackendParts,
    private readonly retried: (queue: string) => void,
  ) {
    this.letters = new DeadLetters(parts.delivering);
  }

  async list({ queue, limit }: FailedJobsQuery): Promise<FailedJobsPage> {
    const name = asked(queue);
    const jobs: StoredFailedJob[] = [];
    await this.scan(name, Math.min(limit, MAX_FAILED_SCAN), async (job) => {
      jobs.push(job);
      return true;
    });
    return { jobs, cursor: null };
  }

  async find(id: string, queue?: string): Promise<StoredFailedJob | null> {
    let found: StoredFailedJob | null = null;
    await this.scan(asked(queue), MAX_FAILED_SCAN, async (job) => {
      if (job.id === id) found = job;
      return found === null;
    });
    return found;
  }

  async retry(id: string, queue?: string): Promise<RetryOutcome> {
    const name = asked(queue);
    let outcome: RetryOutcome = 'missing';
    await this.scan(name, MAX_FAILED_SCAN, async (job, message, channel) => {
      if (job.id !== id) return true;
      await this.putBack(name, message, channel);
      outcome = 'retried';
      return false;
    });
    return outcome;
  }

  async retryAll(queue?: string): Promise<RetryAllResult> {
    const name = asked(queue);
    let retried = 0;
    // What fails again meanwhile comes behind those that there are now.
    const most = await this.count(name);
    await this.scan(name, most, async (_job, message, channel) => {
      await this.putBack(name, message, channel);
      retried += 1;
      return true;
    });
    return { retried, duplicates: 0 };
  }

  async forget(id: string, queue?: string): Promise<boolean> {
    let forgotten = false;
    await this.scan(asked(queue), MAX_FAILED_SCAN, async (job, message, channel) => {
      if (job.id === id) forgotten = taken(message, channel, 'forget()');
      return !forgotten;
    });
    return forgotten;
  }

  async flush(queue?: string): Promise<number> {
    const dead = this.deadQueue(asked(queue));
    try {
      const session = await this.parts.delivering.session();
      return (await session.passively((channel) => channel.purge(dead))) ?? 0;
    } catch (error) {
      throw translateError(error, 'failed jobs');
    }
  }

  private async count(queue: string): Promise<number> {
    const dead = this.deadQueue(queue);
    try {
      const session = await this.parts.delivering.session();
      return (await session.passively((channel) => channel.ready(dead))) ?? 0;
    } catch (error) {
      throw translateError(error, 'failed jobs');
    }
  }

  private async scan(
    queue: string,
    most: number,
    visit: (job: StoredFailedJob, message: GetMessage, channel: DeliveryChannel) => Promise<boolean>,
  ): Promise<void> {
    const workQueue = workQueueName(this.parts.settings.topology.prefix, queue);
    try {
      await this.letters.scan(this.deadQueue(queue), most, (message, channel) =>
        visit(failedJobIn(queue, workQueue, message), message, channel),
      );
    } catch (error) {
      throw translateError(error, 'failed jobs');
    }
  }

  /** Two steps: a stop between them leaves the job in both places, and never loses it. */
  private async putBack(queue: string, message: GetMessage, channel: DeliveryChannel): Promise<void> {
    const { content, contentType, headers } = receivedContent(message);
    const sent = await sendMessage(this.parts, 'retry()', {
      queue,
      to: 'work',
      delaySeconds: 0,
      content,
      contentType,
      level: levelOf({ priority: headers?.['priority'] }, this.parts.settings.topology.maxPriority),
      headers: retriedHeaders(headers),
    });
    if (sent.status !== 'applied') throw sent.error;
    this.retried(queue);
    taken(message, channel, 'retry()');
  }

  private deadQueue(queue: string): string {
    return deadQueueName(workQueueName(this.parts.settings.topology.prefix, queue));
  }
}

function taken(message: GetMessage, channel: DeliveryChannel, action: string): boolean {
  if (channel.ack(message)) return true;
  throw new ConnectionFailed(
    `${action}: expected to take the job out of the dead letters, came a closed channel. It is still among them.`,
    { cause: channel.lost.reason },
  );
}

/** The layer above asks for one: each queue has dead letters of its own. */
function asked(queue: string | undefined): string {
  if (queue !== undefined) return queue;
  throw new InvalidQueueArgumentException(
    'failed jobs: expected the name of a queue, came none: RabbitMQ keeps the dead letters of each queue apart.',
  );
}
