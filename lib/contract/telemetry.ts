import type { MalformedJobSettledException } from './exceptions/malformed-job-settled.exception.js';
import type { FailureCause } from './failure.js';
import type { QueueCounts } from './queue-counts.js';
import type { QueuedJob } from './queued-job.js';
import type { StoreOutcome } from './store.js';

/** What a push is about, for telemetry. */
export interface PushDescription {
  readonly id: string;
  readonly class: string;
  readonly queue: string;
  readonly connection: string;
}

/** A push as telemetry follows it. */
export interface PushSpan {
  /**
   * Keys that travel with the job beside its metadata, which goes before them. What does not fit into 4 KB is left out,
   * the longest first.
   */
  readonly carrier?: Readonly<Record<string, string>>;
  /** Runs what asks the backend to store within the span's context. */
  run?<T>(work: () => T): T;
  /**
   * Called once. `error` is what the caller meets, undefined without one; `outcomes` what the backend answered, an entry
   * a job in the order of the push, null where it was not asked or answered nothing.
   */
  end(error: unknown, outcomes: readonly StoreOutcome[] | null): void;
}

/** What became of a delivery, for telemetry. */
export interface DeliveryOutcome {
  /** What the worker made of it. A delivery that waits for a deploy counts as deferred. */
  readonly became: 'succeeded' | 'released' | 'deferred' | 'failed' | 'given-back';
  /**
   * Whether the backend holds it so: `stale` is a lost settlement, which changed nothing; `unknown` one without an answer.
   */
  readonly settlement: 'applied' | 'stale' | 'unknown';
  /** Why it was given up on, null where it was not. */
  readonly cause: FailureCause | null;
  /** True where the error is the job's own, false where it is that of the settlement, or where there is none. */
  readonly jobFailed: boolean;
  /** Texts of `@Sensitive()` arguments, which must not appear in what is kept of an error. */
  secrets(): readonly string[];
}

/** A delivery as telemetry follows it. */
export interface JobSpan {
  /** Runs the handler, and what is told of the delivery, within the span's context. May be called after the end. */
  run<T>(work: () => T): T;
  /**
   * Called once, when the delivery is settled or could not be. `error` is the job's own where it failed; else that of a
   * settlement that went wrong; undefined without either, as for a deferral that the job asked for.
   */
  end(error: unknown, outcome: DeliveryOutcome): void;
}

/** A connection as telemetry may ask it. */
export interface ObservedConnection {
  readonly name: string;
  /** The driver's name as the environment spells it, such as "redis". */
  readonly driver: string;
  counts(queue: string): Promise<QueueCounts>;
}

/** Called when there is nothing more to observe. */
export type StopObserving = () => void;

/**
 * Hooks around pushes and deliveries. They observe: one that throws is reported and changes nothing.
 *
 * @publicApi
 */
export interface QueueTelemetry {
  startPush?(push: PushDescription): PushSpan;
  /** A push of many, one span for all; without this hook `startPush` is called for each. */
  startPushMany?(pushes: readonly PushDescription[]): PushSpan;
  startJob?(job: QueuedJob, connection: string): JobSpan;
  /** A worker met an item that is no readable job; there is no delivery, and so no span. */
  malformed?(error: MalformedJobSettledException, connection: string): void;
  /** A connection of the application; what is returned is called before it closes. */
  openConnection?(connection: ObservedConnection): StopObserving | undefined;
  /** A worker that begins to look for work on `queues`; what is returned is called when its run has ended. */
  startWorker?(connection: ObservedConnection, queues: readonly string[]): StopObserving | undefined;
}
