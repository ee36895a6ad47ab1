import type {
  DeliveryOutcome,
  JobSpan,
  MalformedJobSettledException,
  ObservedConnection,
  QueuedJob,
  QueueTelemetry,
  StopObserving,
} from '../contract/index.js';
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

  /** What `work` answers, called once, within the span where there is one and it can. For work that never throws. */
  within<T>(span: JobSpan | null, job: QueuedJob, work: () => T): T {
    if (span === null) return work();
    let done: { readonly answer: T } | null = null;
    try {
      span.run(() => (done ??= { answer: work() }).answer);
    } catch (error) {
      this.#log.observerFailed('telemetry span.run', error, job);
    }
    return (done ?? { answer: work() }).answer;
  }

  end(span: JobSpan, job: QueuedJob, error: unknown, outcome: DeliveryOutcome): void {
    try {
      const ended: unknown = span.end(error, outcome);
      if (ended instanceof Promise) {
        ended.catch((failure: unknown) => this.#log.observerFailed('telemetry span.end', failure, job));
      }
    } catch (failure) {
      this.#log.observerFailed('telemetry span.end', failure, job);
    }
  }

  /** Tells of an item that is no readable job. */
  malformed(error: MalformedJobSettledException): void {
    this.#guarded('telemetry.malformed', () => this.#telemetry?.malformed?.(error, this.#connection));
  }

  /** Follows a worker for the length of its run. */
  watch(connection: ObservedConnection, queues: readonly string[]): StopObserving {
    const stop = this.#guarded('telemetry.startWorker', () =>
      this.#telemetry?.startWorker?.(connection, queues),
    );
    return () => {
      if (typeof stop === 'function') this.#guarded('telemetry.startWorker, its end', stop);
    };
  }

  #guarded<T>(hook: string, call: () => T): T | undefined {
    try {
      return call();
    } catch (error) {
      this.#log.observerFailed(hook, error, null);
      return undefined;
    }
  }
}
