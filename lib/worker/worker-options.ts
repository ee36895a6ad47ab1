import type { QueueTelemetry } from '../contract/index.js';
import type { JobEventClass } from '../events/index.js';
import type { DeliveryScopes, JobRegistry, ProviderRef } from '../jobs/index.js';
import type { QueueConnection } from '../queue/index.js';

/** How a worker runs. Every value has been checked by then. */
export interface WorkerOptions {
  /** In the order in which they are swept; at least one. */
  readonly queues: readonly string[];
  /** Deliveries at a time. */
  readonly concurrency: number;
  /** The cap of a job that names none; 0 and 1: a single attempt. */
  readonly maxAttempts: number;
  /** Longest look for work before the loop turns, in seconds; above 0. */
  readonly pollTimeoutSeconds: number;
  /** How long running jobs may take to finish after a stop, in seconds. */
  readonly shutdownTimeoutSeconds: number;
  /** Failures in a row of reaching the backend after which the worker gives up; Infinity: never. */
  readonly maxConnectionFailures: number;
  /** Stop after so many deliveries, so many seconds, so many megabytes of resident memory; Infinity: never. */
  readonly maxJobs: number;
  readonly maxTimeSeconds: number;
  readonly maxMemoryMb: number;
  /** Handle at most one delivery, do not wait for one longer than the poll timeout, and stop. */
  readonly once: boolean;
  /** Leases are renewed while jobs run. Without it a job that outlasts its lease may run elsewhere at the same time. */
  readonly renewLeases: boolean;
  /** How long a handler whose time is over may take to end before its slot is given up, in seconds. */
  readonly timeoutGraceSeconds: number;
  /** Attempts beyond its cap that a job gets whose workers end while they run it; Infinity: any number. */
  readonly crashAllowance: number;
  /** How long a job that today's code cannot rebuild waits for other code before that is its failure, in seconds. */
  readonly schemaGraceSeconds: number;
  /** For logs and events; host and pid by default. */
  readonly name: string;
}

/** A method of a provider that wants events. */
export interface JobEventListener {
  readonly provider: ProviderRef;
  readonly method: string | symbol;
  readonly events: readonly JobEventClass[];
}

/** Nest's `LoggerService` in as far as a worker needs it; messages are objects. */
export interface WorkerLogger {
  log(message: object): void;
  warn(message: object): void;
  error(message: object): void;
  debug?(message: object): void;
}

/** What a worker works with. */
export interface WorkerDependencies {
  readonly connection: QueueConnection;
  readonly registry: JobRegistry;
  readonly scopes: DeliveryScopes;
  readonly listeners: readonly JobEventListener[];
  /** Around each delivery, the first outermost; none without it. */
  readonly middleware?: readonly ProviderRef[];
  readonly telemetry: QueueTelemetry | null;
  readonly logger: WorkerLogger;
}

/** 0 stopped or limit reached, 1 forced or all slots held by abandoned handlers, 64 older schema, 69 backend never reached, 70 internal. */
export type WorkerExitCode = 0 | 1 | 64 | 69 | 70;

/** How a run ended. */
export interface WorkerResult {
  readonly exitCode: WorkerExitCode;
  /** In words, for the last log line. */
  readonly reason: string;
  readonly error?: unknown;
}
