import { context, propagation, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { beforeEach, expect, test } from 'vitest';
import { OutcomeUnknown } from '../../lib/index.js';
import { Job } from '../../lib/jobs/index.js';
import type { Queue } from '../../lib/queue/index.js';
import { queuesOver, StoringBackend } from '../support/fake-backend.js';
import { TelemetryBench } from './support/telemetry-bench.js';
import { traceLines } from './support/trace-lines.js';

class Send {
  constructor(readonly to: unknown) {}

  handle(): void {}
}
Job({ queue: 'mail', args: ['to'] })(Send);

let bench: TelemetryBench;
let backend: StoringBackend;
let queue: Queue;

beforeEach(() => {
  bench = new TelemetryBench();
  backend = new StoringBackend();
  queue = queuesOver({ default: backend }, { telemetry: bench.telemetry() }).default;
});

const storedMetadata = () =>
  backend.stored.map(({ body }) => (JSON.parse(body) as { metadata: Record<string, string> }).metadata);

test('a push is a span by the conventions for messaging', async () => {
  const id = await queue.push(new Send('a'));
  expect(bench.spans).toMatchObject([
    {
      name: 'push mail',
      kind: SpanKind.PRODUCER,
      status: { code: SpanStatusCode.UNSET },
      instrumentationScope: { name: '@kinetis/nestjs-queue' },
    },
  ]);
  expect(bench.spans[0]?.attributes).toEqual({
    'messaging.system': 'kinetis_queue',
    'messaging.operation.name': 'push',
    'messaging.operation.type': 'send',
    'messaging.destination.name': 'mail',
    'messaging.message.id': id,
    'kinetis_queue.connection': 'default',
    'kinetis_queue.job.name': 'Send',
    'kinetis_queue.outcome': 'stored',
  });
});

test('its context is in the metadata of the job, as W3C has it, and its parent is the active span', async () => {
  await bench.request('GET /', () => queue.push(new Send('a'), { metadata: { tenant: 't' } }));
  const [push, request] = bench.spans;
  const { traceId, spanId } = push?.spanContext() ?? {};
  expect(storedMetadata()).toEqual([{ tenant: 't', traceparent: `00-${traceId}-${spanId}-01` }]);
  expect(push?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
});

test('a context that the application gives a job stays as it is', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await queue.push(new Send('a'), { metadata: { traceparent } });
  expect(storedMetadata()).toEqual([{ traceparent }]);
});

test('baggage travels along; what is too long stays behind, and the trace goes on', async () => {
  const within = (entries: Readonly<Record<string, string>>) => {
    const baggage = propagation.createBaggage(
      Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, { value }])),
    );
    return context.with(propagation.setBaggage(context.active(), baggage), () => queue.push(new Send('a')));
  };
  await within({ region: 'eu' });
  // The propagator itself leaves out single entries above 4 KB.
  await within({ region: 'x'.repeat(3_000), zone: 'y'.repeat(3_000) });
  expect(storedMetadata()).toEqual([
    { traceparent: expect.any(String), baggage: 'region=eu' },
    { traceparent: expect.any(String) },
  ]);
});

test('what a client library traces of a push is a child of it', async () => {
  const store = backend.store.bind(backend);
  backend.store = async (jobs) => {
    bench.tracer.startSpan('INSERT').end();
    return store(jobs);
  };
  await queue.push(new Send('a'));
  await queue.pushMany([new Send('a'), new Send('b')]);
  await queue.chain([new Send('a'), new Send('b')]);
  expect(traceLines(bench.spans)).toEqual([
    'PRODUCER push mail, Send',
    '  INTERNAL INSERT',
    'PRODUCER push mail, Send, stored',
    '  INTERNAL INSERT',
    'PRODUCER push mail, Send, stored',
    '  INTERNAL INSERT',
  ]);
});

test('pushMany is one span with the number of its jobs, whose context each of them carries', async () => {
  await queue.pushMany([new Send('a'), { job: new Send('b'), queue: 'bulk' }]);
  await queue.pushMany([new Send('a')]);
  expect(bench.spans).toMatchObject([
    { name: 'push', kind: SpanKind.PRODUCER, attributes: { 'messaging.batch.message_count': 2 } },
    { name: 'push mail', attributes: { 'messaging.batch.message_count': 1 } },
  ]);
  expect(bench.spans[0]?.attributes).not.toHaveProperty('messaging.message.id');
  expect(bench.spans[0]?.attributes).not.toHaveProperty('messaging.destination.name');
  const [one, other] = storedMetadata();
  expect(one?.['traceparent']).toContain(bench.spans[0]?.spanContext().spanId);
  expect(other).toEqual(one);
});

const ERROR = { code: SpanStatusCode.ERROR };

test.each([
  ['a duplicate', () => ({ status: 'duplicate' }) as const, 'duplicate', undefined, { code: 0 }],
  [
    'a refusal',
    () => ({ status: 'refused', error: new RangeError('full') }) as const,
    'refused',
    'RangeError',
    ERROR,
  ],
  [
    'an unknown outcome',
    () => ({ status: 'unknown', error: new OutcomeUnknown('lost') }) as const,
    'unknown',
    'OutcomeUnknown',
    ERROR,
  ],
])('the span of %s says so and is closed', async (_what, answer, outcome, errorType, status) => {
  backend.answer = answer;
  await queue.push(new Send('a')).catch(() => undefined);
  const [span] = bench.spans;
  expect(span?.attributes['kinetis_queue.outcome']).toBe(outcome);
  expect(span?.attributes['error.type']).toBe(errorType);
  expect(span?.status).toEqual(status);
  expect(bench.open).toEqual([]);
});

test('a push whose argument cannot be stored, or whose backend breaks, closes its span too', async () => {
  await expect(queue.push(new Send(Number.NaN))).rejects.toThrow();
  backend.store = () => Promise.reject(new TypeError('broken'));
  await expect(queue.push(new Send('a'))).rejects.toThrow();
  await expect(queue.pushMany([new Send('a')])).rejects.toThrow();
  await expect(queue.chain([new Send('a'), new Send('b')])).rejects.toThrow();
  expect(bench.spans.map(({ attributes }) => attributes['error.type'])).toEqual([
    'UnserializableJobException',
    'TypeError',
    'TypeError',
    'TypeError',
  ]);
  expect(bench.open).toEqual([]);
});

test('pushes are counted by outcome, one a job, and timed once a call; what was never sent is neither', async () => {
  await queue.push(new Send('a'));
  backend.answer = (_job, index) =>
    index === 0 ? { status: 'applied' } : { status: 'refused', error: new RangeError('full') };
  await queue.pushMany([new Send('a'), new Send('b')]).catch(() => undefined);
  await queue.push(new Send(Number.NaN)).catch(() => undefined);
  const of = async (metric: string) =>
    (await bench.measured(metric)).map(({ attributes, value }) => ({
      queue: attributes['messaging.destination.name'],
      outcome: attributes['kinetis_queue.outcome'],
      error: attributes['error.type'],
      count: typeof value === 'number' ? value : value.count,
    }));
  expect(await of('messaging.client.sent.messages')).toEqual([
    { queue: 'mail', outcome: 'stored', error: undefined, count: 2 },
    { queue: 'mail', outcome: 'refused', error: 'RangeError', count: 1 },
  ]);
  expect(await of('messaging.client.operation.duration')).toEqual([
    { queue: 'mail', outcome: undefined, error: undefined, count: 1 },
    { queue: 'mail', outcome: undefined, error: 'PushManyException', count: 1 },
  ]);
});
