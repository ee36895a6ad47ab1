import { ConsoleLogger } from '@nestjs/common';

/** A line for each message: JSON where something reads them, for people on a terminal. */
export function defaultLogger(): ConsoleLogger {
  return process.stdout.isTTY
    ? new ConsoleLogger({ compact: true, breakLength: Infinity })
    : new ConsoleLogger({ json: true });
}
