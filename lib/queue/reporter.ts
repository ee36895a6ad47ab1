/** Where a connection reports what it may not throw. */
export interface QueueReporter {
  warn(message: string, error?: unknown): void;
  error(message: string, error?: unknown): void;
}
