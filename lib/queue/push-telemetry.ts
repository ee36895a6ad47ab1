import type { PushDescription, PushSpan, QueueTelemetry } from '../contract/index.js';
import type { QueueReporter } from './reporter.js';

/** Starts and ends spans of pushes; a hook that throws is reported and changes nothing. */
export class PushTelemetry {
  readonly #telemetry: QueueTelemetry | null;
  readonly #reporter: QueueReporter;

  constructor(telemetry: QueueTelemetry | null, reporter: QueueReporter) {
    this.#telemetry = telemetry;
    this.#reporter = reporter;
  }

  start(push: PushDescription): PushSpan | null {
    if (this.#telemetry?.startPush === undefined) return null;
    try {
      return this.#telemetry.startPush(push);
    } catch (error) {
      this.#reporter.warn('Telemetry failed at the start of a push; the push goes on without it.', error);
      return null;
    }
  }

  end(span: PushSpan | null, error?: unknown): void {
    try {
      span?.end(error);
    } catch (failure) {
      this.#reporter.warn('Telemetry failed at the end of a push; its outcome stands.', failure);
    }
  }
}
