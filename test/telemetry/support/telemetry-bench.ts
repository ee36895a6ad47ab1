import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { context, propagation, SpanKind, type Tracer } from '@opentelemetry/api';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AggregationTemporality,
  type DataPoint,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  type MetricReader,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { openTelemetry, type OpenTelemetryOptions } from '../../../lib/opentelemetry.js';
import type { QueueTelemetry } from '../../../lib/index.js';
import { waitFor } from '../../support/eventually.js';

// What every SDK registers globally; the providers are the bench's own.
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(
  new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
);

/** What was measured under one set of attributes. */
export interface Measured {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly value: number | Histogram;
}

/** Knows the spans that were started and have not ended. */
class OpenSpans implements SpanProcessor {
  readonly names = new Map<string, string>();

  onStart(span: ReadableSpan): void {
    this.names.set(span.spanContext().spanId, span.name);
  }

  onEnd(span: ReadableSpan): void {
    this.names.delete(span.spanContext().spanId);
  }

  async forceFlush(): Promise<void> {}

  async shutdown(): Promise<void> {}
}

/** An SDK of a test's own, which keeps in memory what it would export. */
export class TelemetryBench {
  readonly #spans = new InMemorySpanExporter();
  readonly #metrics: InMemoryMetricExporter;
  readonly #reader: MetricReader;
  readonly #open = new OpenSpans();
  readonly tracerProvider = new BasicTracerProvider({
    spanProcessors: [this.#open, new SimpleSpanProcessor(this.#spans)],
  });
  readonly meterProvider: MeterProvider;

  /** Where metrics are cumulative, the SDK goes on to export the last value of a gauge that nobody observes any more. */
  constructor(temporality = AggregationTemporality.CUMULATIVE) {
    const exporter = new InMemoryMetricExporter(temporality);
    this.#metrics = exporter;
    this.#reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
    this.meterProvider = new MeterProvider({ readers: [this.#reader] });
  }

  get tracer(): Tracer {
    return this.tracerProvider.getTracer('test');
  }

  get spans(): readonly ReadableSpan[] {
    return this.#spans.getFinishedSpans();
  }

  /** Names of spans that were started and have not ended. */
  get open(): readonly string[] {
    return [...this.#open.names.values()];
  }

  telemetry(options: OpenTelemetryOptions = {}): QueueTelemetry {
    const { tracerProvider, meterProvider } = this;
    return openTelemetry({ tracerProvider, meterProvider, ...options });
  }

  /** Does `work` as a web request would: within a span of kind SERVER. */
  async request<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.tracer.startActiveSpan(name, { kind: SpanKind.SERVER }, async (span) => {
      try {
        return await work();
      } finally {
        span.end();
      }
    });
  }

  /** Resolves when so many spans have ended. */
  async ended(count: number): Promise<readonly ReadableSpan[]> {
    await waitFor(
      `${count} spans, of which there are ${this.spans.length}`,
      () => this.spans.length >= count,
    );
    return this.spans;
  }

  /** What an export would hold of a metric now. */
  async measured(name: string): Promise<readonly Measured[]> {
    // An export of nothing is left out: what was exported before would be taken for it.
    this.#metrics.reset();
    await this.#reader.forceFlush();
    const exported = this.#metrics.getMetrics().at(-1)?.scopeMetrics ?? [];
    const points = exported
      .flatMap(({ metrics }) => metrics)
      .filter(({ descriptor }) => descriptor.name === name)
      .flatMap(({ dataPoints }) => dataPoints as DataPoint<number | Histogram>[]);
    return points.map(({ attributes, value }) => ({ attributes, value }));
  }

  async close(): Promise<void> {
    await this.tracerProvider.shutdown();
    await this.meterProvider.shutdown();
  }
}
