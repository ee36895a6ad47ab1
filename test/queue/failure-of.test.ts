import { expect, test } from 'vitest';
import { failureOf } from '../../lib/queue/index.js';

const messageOf = (error: unknown, secrets: readonly string[] = []): string =>
  failureOf(error, 'exhausted', secrets).message;

test('what is kept of an error names its causes, the way down', () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:1');
  const error = new TypeError('fetch failed', { cause: new Error('socket', { cause: refused }) });
  expect(messageOf(error)).toBe(
    'fetch failed; cause: Error: socket; cause: Error: connect ECONNREFUSED 127.0.0.1:1',
  );
});

test('what is kept of a bundle names the errors in it', () => {
  const bundle = new AggregateError([new Error('first'), new RangeError('second')], 'all failed');
  expect(messageOf(bundle)).toBe('all failed; cause: Error: first; cause: RangeError: second');
});

test('causes that go in a circle, or are no errors, are told once and by kind', () => {
  const error = new Error('outer', { cause: { secret: 'hunter2' } });
  expect(messageOf(error)).toBe('outer; cause: no error but of type object');
  const circle = new Error('round');
  circle.cause = circle;
  expect(messageOf(circle)).toBe('round');
});

test('a secret in a cause is taken out too', () => {
  expect(messageOf(new Error('outer', { cause: new Error('token hunter2') }), ['hunter2'])).toBe(
    'outer; cause: Error: token [redacted]',
  );
});
