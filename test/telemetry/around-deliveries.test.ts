import { context, createContextKey, propagation, trace } from '@opentelemetry/api';
import { Injectable } from '@nestjs/common';
import { expect, test } from 'vitest';
import {
  FailJobException,
  Handle,
  Job,
  JobDelivery,
  JobFailedPermanently,
  type JobMiddleware,
  memory,
  OnJobEvent,
  OnJobFailed,
  provideJobs,
  Queue,
  QueueConsumer,
  sync,
} from '../../lib/index.js';
import { Notify, SendReceipt } from './support/order.jobs.js';
import { startApplication } from './support/start-application.js';
import { TelemetryBench } from './support/telemetry-bench.js';
import { traceLines } from './support/trace-lines.js';

@Job({ queue: 'orders' })
class Refuse {
  constructor(readonly order: string) {}

  handle(): void {
    throw new FailJobException('never');
  }

  @OnJobFailed()
  async failed(_error: unknown, queue: Queue): Promise<void> {
    await queue.push(new Notify(this.order));
  }
}

@Injectable()
class Watch {
  constructor(private readonly queue: Queue) {}

  @OnJobEvent(JobFailedPermanently)
  async on(): Promise<void> {
    await this.queue.push(new SendReceipt('none'));
  }
}

test('what failed() and a listener push is a child of the delivery that failed', async () => {
  const bench = new TelemetryBench();
  const worker = { queues: ['orders', 'mail'] };
  const providers = [Watch, ...provideJobs(Refuse, Notify, SendReceipt)];
  const app = await startApplication(memory(), { telemetry: bench.telemetry(), worker }, providers);
  await app.get(Queue).push(new Refuse('1'));
  expect(traceLines(await bench.ended(6))).toEqual([
    'PRODUCER push orders, Refuse, stored',
    '  CONSUMER process orders, Refuse, #1, failed, FailJobException',
    '    PRODUCER push mail, Notify, stored',
    '      CONSUMER process mail, Notify, #1, succeeded',
    '    PRODUCER push mail, SendReceipt, stored',
    '      CONSUMER process mail, SendReceipt, #1, succeeded',
  ]);
});

test('a job that runs inside its push is a child of it, and so is the rest of its chain', async () => {
  const bench = new TelemetryBench();
  const providers = provideJobs(Refuse, Notify, SendReceipt);
  const app = await startApplication(sync(), { telemetry: bench.telemetry() }, providers);
  await app
    .get(Queue)
    .chain([new Notify('1'), new SendReceipt('1'), new Refuse('1')])
    .catch(() => undefined);
  expect(traceLines(bench.spans)).toEqual([
    'PRODUCER push mail, Notify, refused, FailJobException',
    '  CONSUMER process mail, Notify, #1, succeeded',
    '    PRODUCER push mail, SendReceipt, refused, FailJobException',
    '      CONSUMER process mail, SendReceipt, #1, succeeded',
    '        PRODUCER push orders, Refuse, refused, FailJobException',
    '          CONSUMER process orders, Refuse, #1, failed, FailJobException',
  ]);
  expect(bench.open).toEqual([]);
});

test('a chain that is acked by hand goes on in the context of whoever acks', async () => {
  const bench = new TelemetryBench();
  const app = await startApplication(memory(), { telemetry: bench.telemetry() }, provideJobs(Notify));
  await app.get(Queue).chain([new Notify('1'), new Notify('2')]);
  const consumer = await app.resolve(QueueConsumer);
  const job = await consumer.pop(1, ['mail']);
  await bench.request('by hand', async () => job && consumer.ack(job));
  expect(traceLines(bench.spans)).toEqual([
    'PRODUCER push mail, Notify, stored',
    'SERVER by hand',
    '  PRODUCER push mail, Notify, stored',
  ]);
});

const TENANT = createContextKey('tenant');

@Injectable()
class TenantMiddleware implements JobMiddleware {
  use(_delivery: JobDelivery, next: () => Promise<unknown>): Promise<unknown> {
    // A span of its own around the delivery, and a value for what runs within.
    return trace.getTracer('other').startActiveSpan('middleware', (span) => {
      const within = context.active().setValue(TENANT, 'acme');
      return context.with(within, next).finally(() => span.end());
    });
  }
}

@Injectable()
class Seen {
  readonly values: unknown[] = [];
}

@Job()
class Look {
  @Handle()
  handle(seen: Seen): void {
    seen.values.push(context.active().getValue(TENANT));
    seen.values.push(propagation.getActiveBaggage()?.getEntry('region')?.value);
    seen.values.push(trace.getActiveSpan()?.spanContext().traceId);
  }
}

test.each(['parent', 'link'] as const)(
  'a delivery that follows its push as %s sees baggage and what a middleware set',
  async (follows) => {
    const bench = new TelemetryBench();
    const options = { telemetry: bench.telemetry({ follows }), middleware: [TenantMiddleware], worker: {} };
    const app = await startApplication(memory(), options, [TenantMiddleware, Seen, ...provideJobs(Look)]);
    const baggage = propagation.createBaggage({ region: { value: 'eu' } });
    await context.with(propagation.setBaggage(context.active(), baggage), () =>
      app.get(Queue).push(new Look()),
    );
    const [push, delivery] = await bench.ended(2);
    const pushed = push?.spanContext();
    const { traceId } = delivery?.spanContext() ?? {};
    expect(app.get(Seen).values).toEqual(['acme', 'eu', traceId]);
    expect(delivery?.links.map(({ context: { spanId } }) => spanId)).toEqual([pushed?.spanId]);
    expect(delivery?.parentSpanContext?.spanId).toBe(follows === 'parent' ? pushed?.spanId : undefined);
    expect(traceId === pushed?.traceId).toBe(follows === 'parent');
  },
);

test('a job that carries no context begins a trace, whatever span is active where its worker runs', async () => {
  const bench = new TelemetryBench();
  const backend = memory();
  await bench.request('deploy', async () => {
    const app = await startApplication(
      backend,
      { telemetry: { startJob: bench.telemetry().startJob?.bind(bench.telemetry()) }, worker: {} } as never,
      [Seen, ...provideJobs(Look)],
    );
    await app.get(Queue).push(new Look());
    await bench.ended(1);
  });
  expect(traceLines(bench.spans)).toEqual(['CONSUMER process default, Look, #1, succeeded', 'SERVER deploy']);
});
