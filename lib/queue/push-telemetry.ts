import type { PushDescription, PushSpan, QueueTelemetry, StoreOutcome } from '../contract/index.js';
import type { QueueReporter } from './reporter.js';

type Outcomes = readonly StoreOutcome[] | null;

/** The spans of one `pushMany`: one for all, or one for each. */
export interface PushManySpans {
  of(index: number): PushSpan | null;
  /** The one for all, null where each has its own. */
  readonly shared: PushSpan | null;
  end(error: unknown, outcomes: Outcomes): void;
}

const NO_SPANS: PushManySpans = { of: () => null, shared: null, end: () => undefined };

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
    return this.#started(() => this.#telemetry?.startPush?.(push));
  }

  /** `pushes` is asked only where somebody follows them. */
  startMany(pushes: () => readonly PushDescription[]): PushManySpans {
    const { startPush, startPushMany } = this.#telemetry ?? {};
    if (startPushMany !== undefined) {
      const span = this.#started(() => this.#telemetry?.startPushMany?.(pushes()));
      return { of: () => span, shared: span, end: (error, outcomes) => this.end(span, error, outcomes) };
    }
    if (startPush === undefined) return NO_SPANS;
    const spans = pushes().map((push) => this.start(push));
    return {
      of: (index) => spans[index] ?? null,
      shared: null,
      end: (error, outcomes) => {
        for (const [index, span] of spans.entries()) this.#endOne(span, error, outcomes?.[index]);
      },
    };
  }

  /** What `work` answers, called once, within the span where there is one and it can. `work` itself never throws, it rejects. */
  within<T>(span: PushSpan | null, work: () => Promise<T>): Promise<T> {
    if (span?.run === undefined) return work();
    let running: Promise<T> | null = null;
    try {
      // What the span hands back is its own affair: the outcome is the work's.
      const handed: unknown = span.run(() => (running ??= work()));
      if (handed instanceof Promise) handed.catch(() => undefined);
    } catch (error) {
      this.#reporter.warn('Telemetry failed around a push; its outcome stands.', error);
    }
    return running ?? work();
  }

  end(span: PushSpan | null, error: unknown, outcomes: Outcomes): void {
    try {
      span?.end(error, outcomes);
    } catch (failure) {
      this.#reporter.warn('Telemetry failed at the end of a push; its outcome stands.', failure);
    }
  }

  /** One that was stored has no part in the error of the others. */
  #endOne(span: PushSpan | null, error: unknown, outcome: StoreOutcome | undefined): void {
    if (outcome === undefined) return this.end(span, error, null);
    this.end(span, 'error' in outcome ? outcome.error : undefined, [outcome]);
  }

  #started(start: () => PushSpan | undefined): PushSpan | null {
    try {
      // A hook written in JavaScript may have nothing to say about a push.
      return start() ?? null;
    } catch (error) {
      this.#reporter.warn('Telemetry failed at the start of a push; the push goes on without it.', error);
      return null;
    }
  }
}
