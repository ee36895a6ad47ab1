import { metrics, trace } from '@opentelemetry/api';
import { AggregationTemporality, InMemoryMetricExporter } from '@opentelemetry/sdk-metrics';
import type { ExportResult } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { NestFactory } from '@nestjs/core';
import { Queue } from '@kinetis/nestjs-queue';
import { expect, test } from 'vitest';
import { waitFor } from '../../support/eventually.js';
import { traceLines } from '../support/trace-lines.js';
import { AppModule } from './app.module.js';
import { SendInvoice } from './send-invoice.job.js';
import { startTracing } from './tracing.js';

/** Keeps spans, also after its shutdown. */
class KeepingExporter implements SpanExporter {
  readonly spans: ReadableSpan[] = [];

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.spans.push(...spans);
    done({ code: 0 });
  }

  async shutdown(): Promise<void> {}
}

test('the examples trace and measure through what is global', async () => {
  const exporter = new KeepingExporter();
  const measurements = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const stopTracing = startTracing(exporter, measurements);
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
  await trace.getTracer('web').startActiveSpan('POST /invoices', async (span) => {
    await app.get(Queue).push(new SendInvoice(7, 'paid'));
    span.end();
  });
  await waitFor('the queue to be empty', async () => {
    const { ready, reserved } = await app.get(Queue).counts('invoices');
    return ready + (reserved ?? 0) === 0;
  });
  await (metrics.getMeterProvider() as { forceFlush?(): Promise<void> }).forceFlush?.();
  const measured = measurements
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
    .map(({ descriptor }) => descriptor.name);
  await app.close();
  await stopTracing();
  expect(traceLines(exporter.spans)).toEqual([
    'INTERNAL POST /invoices',
    '  PRODUCER push invoices, SendInvoice, stored',
    '    CONSUMER process invoices, SendInvoice, #1, succeeded',
  ]);
  expect(exporter.spans.find(({ name }) => name === 'process invoices')?.attributes).toMatchObject({
    'app.plan': 'paid',
  });
  expect(measured).toContain('kinetis_queue.queue.waiting');
});
