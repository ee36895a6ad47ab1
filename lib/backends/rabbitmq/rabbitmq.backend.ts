import type {
  Capabilities,
  NewJob,
  QueueBackend,
  QueueCounts,
  ReservedItem,
  SettleOutcome,
  Settlement,
  StoreOutcome,
  WaitOptions,
} from '../../contract/index.js';
import { WakeUp } from '../../contract/wake-up.js';
import { translateError } from './broker-errors.js';
import { Broker } from './broker.js';
import type { NamedSettings } from './open-connection.js';
import type { RabbitMqBackendParts } from './rabbitmq-backend-parts.js';
import { rabbitMqCapabilities } from './rabbitmq.capabilities.js';
import { reserveJobs } from './reserve-jobs.js';
import { settleJobs } from './settle-jobs.js';
import { storeJobs } from './store-jobs.js';

/** Pause between two sweeps in milliseconds: how late a job of another process is found at most. */
const PAUSE_MS = 1_000;

/** Jobs as messages of durable queues. What is declared, and how a message looks, is in `topology/`. */
export class RabbitMqBackend implements QueueBackend {
  readonly driver = 'rabbitmq';
  readonly capabilities: Capabilities;
  private readonly wakeUp = new WakeUp();
  private readonly parts: RabbitMqBackendParts;

  constructor(settings: NamedSettings, warn: (message: string) => void) {
    this.capabilities = rabbitMqCapabilities(settings);
    this.parts = { settings, broker: new Broker(settings, warn) };
  }

  async connect(): Promise<void> {
    const { broker } = this.parts;
    broker.reopen();
    await this.asked('connect()', broker.session());
  }

  async store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    const outcomes = await storeJobs(this.parts, jobs);
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

  settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    return settleJobs(this.parts, settlements);
  }

  async count(_queue: string): Promise<QueueCounts> {
    throw new TypeError('count(): not offered yet.');
  }

  async close(): Promise<void> {
    this.wakeUp.close();
    await this.parts.broker.close();
  }

  private async asked<T>(action: string, answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      throw translateError(error, action);
    }
  }
}
