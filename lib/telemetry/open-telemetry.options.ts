import type { MeterProvider, TracerProvider } from '@opentelemetry/api';

/**
 * Options of `openTelemetry()`.
 *
 * @publicApi
 */
export interface OpenTelemetryOptions {
  /** Where spans go; without it the global provider. */
  readonly tracerProvider?: TracerProvider;
  /** Where metrics go; without it the provider that is global when the application's connections are made. */
  readonly meterProvider?: MeterProvider;
  /**
   * How the span of a delivery follows that of its push: as its child, in one trace (`parent`, the default), or in a trace
   * of its own (`link`). It links to it either way.
   */
  readonly follows?: 'parent' | 'link';
  /**
   * Whether spans of failed deliveries record what the job threw: message, stack and causes, without the texts of
   * `@Sensitive()` arguments (false). A message is what its author wrote, so it may hold parts of a payload.
   */
  readonly recordExceptions?: boolean;
  /** Whether the queues that a worker of this process watches are measured while it runs (true). */
  readonly measureWatchedQueues?: boolean;
  /** Queues that are measured whether or not a worker watches them, by connection. */
  readonly measureQueues?: Readonly<Record<string, readonly string[]>>;
}
