import type { QueuedJob } from '../contract/index.js';
import { failureOf } from '../queue/index.js';
import type { WorkerLogger } from './worker-options.js';

export type LogLevel = 'debug' | 'log' | 'warn' | 'error';

/** Any fields beside those that every line has. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes a worker's log lines, which are objects. A logger that throws, or rejects, is discarded. */
export class WorkerLog {
  readonly #logger: WorkerLogger;
  readonly #connection: string;
  readonly #worker: string;

  constructor(logger: WorkerLogger, connection: string, worker: string) {
    this.#logger = logger;
    this.#connection = connection;
    this.#worker = worker;
  }

  /** A line about one delivery. `durationMs` is null for one that did not run. */
  job(level: LogLevel, event: string, job: QueuedJob, durationMs: number | null, fields?: LogFields): void {
    this.#write(level, {
      event,
      job: job.class,
      id: job.id,
      queue: job.queue,
      connection: this.#connection,
      attempts: job.attempts,
      durationMs: durationMs === null ? null : Math.round(durationMs * 10) / 10,
      worker: this.#worker,
      ...fields,
    });
  }

  /** A line about the worker itself, or about an item that is no job. */
  worker(level: LogLevel, event: string, fields?: LogFields): void {
    this.#write(level, { event, connection: this.#connection, worker: this.#worker, ...fields });
  }

  /** Someone who only watches has failed: it is told and changes nothing. */
  observerFailed(
    observer: string,
    error: unknown,
    job: QueuedJob | null,
    secrets: readonly string[] = [],
  ): void {
    const fields = { observer, ...errorFields(error, secrets) };
    if (job === null) this.worker('warn', 'worker.observer-failed', fields);
    else this.job('warn', 'worker.observer-failed', job, null, fields);
  }

  #write(level: LogLevel, line: object): void {
    try {
      const written: unknown = this.#logger[level]?.(line);
      if (written instanceof Promise) written.catch(() => undefined);
    } catch {
      // A logger watches; there is nowhere left to report it to.
    }
  }
}

/** An error as text without `secrets`, so that a logger that writes JSON shows it. Never throws, whatever was thrown. */
export function errorFields(
  error: unknown,
  secrets: readonly string[] = [],
): { error: string; stack: string | null } {
  const failure = failureOf(error, 'fatal', secrets);
  return { error: `${failure.error}: ${failure.message}`, stack: failure.stack };
}
