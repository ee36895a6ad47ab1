import type { QueuedJob } from './queued-job.js';

/** What a push is about, for telemetry. */
export interface PushDescription {
  readonly id: string;
  readonly class: string;
  readonly queue: string;
  readonly connection: string;
}

/** A push as telemetry follows it. */
export interface PushSpan {
  /** Keys that travel with the job beside its metadata; dropped when too long. */
  readonly carrier?: Readonly<Record<string, string>>;
  end(error?: unknown): void;
}

/** A delivery as telemetry follows it. */
export interface JobSpan {
  /** Runs the handler within the span's context. */
  run<T>(work: () => T): T;
  end(error?: unknown): void;
}

/**
 * Hooks around pushes and deliveries. They observe: one that throws is reported and changes nothing.
 *
 * @publicApi
 */
export interface QueueTelemetry {
  startPush?(push: PushDescription): PushSpan;
  startJob?(job: QueuedJob, connection: string): JobSpan;
}
