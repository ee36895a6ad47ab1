import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import { runWorker } from '../../../lib/index.js';

/** Keeps what a worker process logs. */
export class LogLines implements LoggerService {
  readonly lines: { level: string; message: unknown }[] = [];
  readonly log = (message: unknown): void => this.#keep('log', message);
  readonly warn = (message: unknown): void => this.#keep('warn', message);
  readonly error = (message: unknown): void => this.#keep('error', message);
  readonly debug = (message: unknown): void => this.#keep('debug', message);
  readonly verbose = (message: unknown): void => this.#keep('verbose', message);
  readonly fatal = (message: unknown): void => this.#keep('fatal', message);

  /** The objects that the worker logged for one event. */
  event(name: string): Record<string, unknown>[] {
    return this.lines.flatMap(({ message }) =>
      typeof message === 'object' && message !== null && 'event' in message && message.event === name
        ? [message as Record<string, unknown>]
        : [],
    );
  }

  #keep(level: string, message: unknown): void {
    this.lines.push({ level, message });
  }
}

export interface Run {
  readonly ended: Promise<number>;
  /** What `exit` was called with. */
  readonly exits: readonly number[];
  readonly log: LogLines;
  /** The application, once it is initialized. */
  readonly app: Promise<INestApplicationContext>;
}

/** Starts a worker in this process, with a log and an exit of its own. */
export function start(
  module: Parameters<typeof runWorker>[0],
  argv: readonly string[] = [],
  configure: (app: INestApplicationContext) => void | Promise<void> = () => undefined,
  env: Record<string, string> = {},
): Run {
  const exits: number[] = [];
  const log = new LogLines();
  let ready: (app: INestApplicationContext) => void = () => undefined;
  const app = new Promise<INestApplicationContext>((resolve) => (ready = resolve));
  const ended = runWorker(module, {
    argv,
    env,
    logger: log,
    configure: async (created) => {
      await configure(created);
      ready(created);
    },
    exit: (code) => exits.push(code),
  });
  return { ended, exits, log, app };
}
