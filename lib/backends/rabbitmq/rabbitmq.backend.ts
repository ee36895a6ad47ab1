import type {
  Capabilities,
  ClearingBackend,
  ConsumeOptions,
  ConsumingBackend,
  Consumption,
  DiagnosingBackend,
  FailedJobsBackend,
  FailedJobsPage,
  FailedJobsQuery,
  Finding,
  NewJob,
  QueueCounts,
  ReservedItem,
  RetryAllResult,
  RetryOutcome,
  SettleOutcome,
  Settlement,
  StoredFailedJob,
  StoreOutcome,
  WaitOptions,
} from '../../contract/index.js';
import { WakeUp } from '../../contract/wake-up.js';
import { translateError } from './broker-errors.js';
import { Broker } from './broker.js';
import { consumeQueue } from './consume-queue.js';
import { RabbitMqFailedJobs } from './failed-jobs.js';
import { diagnoseRabbitMq } from './diagnose-rabbitmq.js';
import type { NamedSettings } from './open-connection.js';
import { clearQueue, countQueue } from './queue-counts.js';
import type { RabbitMqBackendParts } from './rabbitmq-backend-parts.js';
import { asRabbitMqReceipt } from './rabbitmq-receipt.js';
import { rabbitMqCapabilities } from './rabbitmq.capabilities.js';
import { reserveJobs } from './reserve-jobs.js';
import { settleJobs } from './settle-jobs.js';
import { storeJobs } from './store-jobs.js';
import { whyNot } from './why-not.js';

/** Pause between two sweeps in milliseconds: how late a job of another process is found at most. */
const PAUSE_MS = 1_000;

/** Jobs as messages of durable queues. What is declared, and how a message looks, is in `topology/`. */
export class RabbitMqBackend
  implements ClearingBackend, FailedJobsBackend, ConsumingBackend, DiagnosingBackend
{
  readonly driver = 'rabbitmq';
  readonly capabilities: Capabilities;
  readonly whyNot: ReturnType<typeof whyNot>;
  private readonly wakeUp = new WakeUp();
  private readonly parts: RabbitMqBackendParts;
  private readonly failed: RabbitMqFailedJobs;
  /** What publishes, and is waited for when the connection is closed. */
  private readonly underWay = new Set<Promise<unknown>>();

  constructor(settings: NamedSettings, warn: (message: string) => void) {
    this.capabilities = rabbitMqCapabilities(settings);
    this.whyNot = whyNot(settings);
    const publishing = new Broker(settings, warn);
    this.parts = { settings, publishing, delivering: new Broker(settings, warn) };
    this.failed = new RabbitMqFailedJobs(this.parts, (queue) => this.wakeUp.notify(queue));
  }

  async connect(): Promise<void> {
    const { publishing, delivering } = this.parts;
    publishing.reopen();
    delivering.reopen();
    await this.asked('connect()', delivering.session());
  }

  async store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    const outcomes = await this.tracked(storeJobs(this.parts, jobs));
    for (const { queue, delaySeconds } of jobs) if (delaySeconds === 0) this.wakeUp.notify(queue);
    return outcomes;
  }

  reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    this.wakeUp.sweeping(queues);
    return reserveJobs(this.parts, queues, limit);
  }

  async waitForWork(
    queues: readonly string[],
    { timeoutMs, signal }: WaitOptions,
  ): Promise<readonly ReservedItem[]> {
    await this.wakeUp.wait(queues, Math.min(timeoutMs, PAUSE_MS), signal);
    return [];
  }

  async settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    const outcomes = await this.tracked(settleJobs(this.parts, settlements));
    for (const settlement of settlements) {
      if (settlement.operation === 'ack') {
        for (const { queue } of settlement.followUps) this.wakeUp.notify(queue);
      } else if ('delaySeconds' in settlement && settlement.delaySeconds === 0) {
        this.wakeUp.notify(asRabbitMqReceipt(settlement.receipt).queue);
      }
    }
    return outcomes;
  }

  consume(queue: string, options: ConsumeOptions): Promise<Consumption> {
    return this.asked('consume()', consumeQueue(this.parts, queue, options));
  }

  count(queue: string): Promise<QueueCounts> {
    return this.asked('count()', countQueue(this.parts, queue));
  }

  clear(queue: string): Promise<number> {
    return this.asked('clear()', clearQueue(this.parts, queue));
  }

  listFailed(query: FailedJobsQuery): Promise<FailedJobsPage> {
    return this.failed.list(query);
  }

  findFailed(id: string, queue?: string): Promise<StoredFailedJob | null> {
    return this.failed.find(id, queue);
  }

  retryFailed(id: string, queue?: string): Promise<RetryOutcome> {
    return this.failed.retry(id, queue);
  }

  retryAllFailed(queue?: string): Promise<RetryAllResult> {
    return this.failed.retryAll(queue);
  }

  forgetFailed(id: string, queue?: string): Promise<boolean> {
    return this.failed.forget(id, queue);
  }

  flushFailed(queue?: string): Promise<number> {
    return this.failed.flush(queue);
  }

  diagnose(queues: readonly string[]): Promise<readonly Finding[]> {
    return this.asked('diagnose()', diagnoseRabbitMq(this.parts, queues));
  }

  async close(): Promise<void> {
    this.wakeUp.close();
    await Promise.allSettled(this.underWay);
    const { publishing, delivering } = this.parts;
    await Promise.all([publishing.close(), delivering.close()]);
  }

  private async tracked<T>(publishing: Promise<T>): Promise<T> {
    this.underWay.add(publishing);
    try {
      return await publishing;
    } finally {
      this.underWay.delete(publishing);
    }
  }

  private async asked<T>(action: string, answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      throw translateError(error, action);
    }
  }
}
