import type { JobSpan, QueuedJob, QueueTelemetry } from '../contract/index.js';
import type { WorkerLog } from './worker-log.js';

/** Starts and ends spans of deliveries. A hook that fails is reported and changes nothing. */
export class JobTelemetry {
  readonly #telemetry: QueueTelemetry | null;
  readonly #connection: string;
  readonly #log: WorkerLog;

  constructor(telemetry: QueueTelemetry | null, connection: string, log: WorkerLog) {
    this.#telemetry = telemetry;
    this.#connection = connection;
    this.#log = log;
  }

  start(job: QueuedJob): JobSpan | null {
    if (this.#telemetry?.startJob === undefined) return null;
    try {
      // A hook written in JavaScript may have nothing to say about a job.
      return this.#telemetry.startJob(job, this.#connection) ?? null;
    } catch (error) {
      this.#log.observerFailed('telemetry.startJob', error, job);
      return null;
    }
  }

  /** Runs `work` once, within the span where there is one and it can. `work` itself never throws, it rejects. */
  run<T>(span: JobSpan, job: QueuedJob, work: () => Promise<T>): Promise<T> {
    let running: Promise<T> | null = null;
    try {
      // What the span hands back is its own affair: the outcome is the work's.
      const handed: unknown = span.run(() => (running ??= work()));
      if (handed instanceof Promise) handed.catch(() => undefined);
    } catch (error) {
      this.#log.observerFailed('telemetry span.run', error, job);
    }
    return running ?? work();
  }

  end(span: JobSpan | null, job: QueuedJob, error?: unknown): void {
    if (span === null) return;
    try {
      const ended: unknown = span.end(error);
      if (ended instanceof Promise) {
        ended.catch((failure: unknown) => this.#log.observerFailed('telemetry span.end', failure, job));
      }
    } catch (failure) {
      this.#log.observerFailed('telemetry span.end', failure, job);
    }
  }
}
