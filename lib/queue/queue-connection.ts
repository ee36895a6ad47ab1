import {
  assertLimit,
  assertQueueName,
  assertQueueNames,
  assertTimeoutSeconds,
  canConsume,
  type Consumption,
  MalformedJobSettledException,
  type ObservedConnection,
  type QueueBackend,
  type QueueCounts,
  QueuedJob,
  QueueNotAdministrableException,
  QueueNotConsumableException,
  canListQueues,
  type QueueTelemetry,
} from '../contract/index.js';
import { consumeDeliveries, type ConsumeDeliveriesOptions } from './consume.js';
import { FollowUpPushes } from './follow-ups.js';
import { type Deliveries, type NextOptions, nextDeliveries } from './pop-loop.js';
import { type CaptureMetadata, Pusher } from './pusher.js';
import { PushTelemetry } from './push-telemetry.js';
import { Receiver, type ReserveAnswer } from './receiver.js';
import type { QueueReporter } from './reporter.js';
import { Settler } from './settler.js';

export interface QueueConnectionOptions {
  readonly name: string;
  readonly backend: QueueBackend;
  readonly reporter: QueueReporter;
  readonly captureMetadata?: CaptureMetadata | undefined;
  readonly telemetry?: QueueTelemetry | undefined;
}

/**
 * One connection of an application: the contract's parts above one backend. Everything that an application or a worker
 * asks of a backend goes through it, so checks, serialization, decoding and telemetry are the same for all of them.
 */
export class QueueConnection implements ObservedConnection {
  readonly name: string;
  readonly backend: QueueBackend;
  readonly pusher: Pusher;
  readonly receiver: Receiver;
  readonly settler: Settler;
  readonly followUps: FollowUpPushes;

  constructor(options: QueueConnectionOptions) {
    const { name, backend, reporter } = options;
    this.name = name;
    this.backend = backend;
    const telemetry = new PushTelemetry(options.telemetry ?? null, reporter);
    this.pusher = new Pusher(backend, name, options.captureMetadata ?? null, telemetry);
    this.receiver = new Receiver(backend, reporter);
    this.settler = new Settler(backend);
    this.followUps = new FollowUpPushes(telemetry, name);
  }

  get driver(): string {
    return this.backend.driver;
  }

  /** The next deliveries; see `nextDeliveries`. For a list of queues and a connection that have been checked. */
  next(queues: readonly string[], options: NextOptions): Promise<Deliveries> {
    return nextDeliveries(this.backend, this.receiver, queues, options);
  }

  /**
   * Deliveries of one queue as its server sends them; see `consumeDeliveries`. Only where the backend has
   * `pushDelivery`.
   */
  async consume(queue: string, options: ConsumeDeliveriesOptions): Promise<Consumption> {
    if (!canConsume(this.backend)) {
      throw new QueueNotConsumableException(
        `consume(): expected a backend that sends deliveries; "${this.backend.driver}" of connection "${this.name}" sends ` +
          'nothing by itself. Use reserve() or pop().',
      );
    }
    return consumeDeliveries(this.backend, this.receiver, queue, options);
  }

  /** One immediate sweep. */
  async reserve(queues: readonly string[], limit: number): Promise<ReserveAnswer[]> {
    this.assertDelivers();
    assertQueueNames(queues, 'reserve(): queues');
    assertLimit(limit, 'reserve(): limit');
    if (queues.length === 0) return [];
    return this.receiver.accept(await this.backend.reserve(queues, limit));
  }

  /** One job, or null: at the deadline, for an empty list, or when the signal aborts before one was reserved. */
  async pop(
    timeoutSeconds: number,
    queues: readonly string[],
    signal: AbortSignal,
  ): Promise<QueuedJob | null> {
    this.assertDelivers();
    assertTimeoutSeconds(timeoutSeconds, 'pop(): timeoutSeconds');
    assertQueueNames(queues, 'pop(): queues');
    const timeoutMs = timeoutSeconds === 0 ? Infinity : timeoutSeconds * 1_000;
    const { answers } = await this.next(queues, { limit: 1, timeoutMs, signal });
    const [answer] = answers;
    if (answer === undefined) return null;
    if (answer instanceof QueuedJob) return answer;
    // A removal that failed with its transport is that failure, not malformed data.
    if (answer instanceof MalformedJobSettledException && answer.settlementError !== null) {
      throw answer.settlementError;
    }
    throw answer;
  }

  async counts(queue: string): Promise<QueueCounts> {
    assertQueueName(queue, 'counts(): queue');
    return this.backend.count(queue);
  }

  async size(queue: string): Promise<number> {
    assertQueueName(queue, 'size(): queue');
    const counts = await this.backend.count(queue);
    return counts.ready + (counts.delayed ?? 0);
  }

  async queues(): Promise<readonly string[]> {
    if (!canListQueues(this.backend)) {
      throw new QueueNotAdministrableException(
        `queues(): expected a backend that can list its queues; "${this.backend.driver}" of connection "${this.name}" ` +
          'cannot. Ask counts() of the queues that you know.',
      );
    }
    return this.backend.queues();
  }

  /** Throws `QueueNotConsumableException` where a push runs the job itself. */
  assertDelivers(): void {
    if (this.backend.capabilities.delivers) return;
    throw new QueueNotConsumableException(
      `Expected the connection "${this.name}" to hand out deliveries; its backend "${this.backend.driver}" runs a job ` +
        'inside its push, which leaves nothing to reserve and nothing for a worker to do. Use another backend where jobs are to run in a worker.',
    );
  }
}
