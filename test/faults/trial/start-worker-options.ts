/** What one worker process is started with, beside what all have. */
export interface StartWorkerOptions {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Modules that Node loads before the worker, by path. */
  readonly preload?: readonly string[];
}
