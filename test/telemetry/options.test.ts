import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { openTelemetry } from '../../lib/opentelemetry.js';

test.each([
  [{ recordException: true }, 'unknown option "recordException". Known: tracerProvider,'],
  [{ follows: 'child' }, "follows: expected 'parent' or 'link', came \"child\""],
  [{ recordExceptions: 'yes' }, 'recordExceptions: expected true or false, came "yes"'],
  [{ measureWatchedQueues: 1 }, 'measureWatchedQueues: expected true or false, came 1'],
  [{ measureQueues: 'mail' }, 'measureQueues: expected lists of queues by connection, came "mail"'],
  [{ measureQueues: { default: ['a.b'] } }, 'measureQueues.default: expected 1 to 80'],
  [{ measureQueues: { default: 'mail' } }, 'measureQueues.default: expected an array of queue names'],
])('openTelemetry(%o) is refused', (options, message) => {
  expect(() => openTelemetry(options as never)).toThrow(message);
});

test('without an SDK it records nothing and disturbs nothing', async () => {
  // Files of one process share what another of them registered.
  for (const api of [context, metrics, propagation, trace]) api.disable();
  const span = openTelemetry().startPush?.({ id: '1', class: 'A', queue: 'q', connection: 'default' });
  expect(span?.carrier).toEqual({});
  expect(() => span?.end(new Error('no'), null)).not.toThrow();
});
