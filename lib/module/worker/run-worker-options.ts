import type { INestApplicationContext, LoggerService, LogLevel } from '@nestjs/common';

/**
 * What `runWorker` takes beside the application's module.
 *
 * @publicApi
 */
export interface RunWorkerOptions {
  /** As in `NestFactory`. Without it: JSON lines, or lines for people on a terminal. */
  readonly logger?: LoggerService | LogLevel[] | false;
  /** As in `NestFactory`: keeps log lines back until `configure` gave a logger. */
  readonly bufferLogs?: boolean;
  /** Called once the application is initialized and before the worker starts, such as for `app.useLogger(…)`. */
  configure?(app: INestApplicationContext): void | Promise<void>;
  /** The flags (`process.argv` from its third entry). */
  readonly argv?: readonly string[];
  /** Where the worker's variables are read (`process.env`). */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Ends the process (`process.exit`). */
  exit?(code: number): void;
}
