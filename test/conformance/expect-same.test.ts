import { expect, test } from 'vitest';
import { AssertionError } from 'node:assert';
import { expectSame } from '../../lib/testing/conformance/expect-same.js';

test('a case that fails says what was promised, what was expected and what came', () => {
  expect(() => expectSame(1, 2, 'attempts after a release')).toThrow(
    'attempts after a release: expected 2, came 1',
  );
  expect(() => expectSame(['b'], ['a'], 'the jobs that come')).toThrow(
    "the jobs that come: expected [ 'a' ], came [ 'b' ]",
  );
});

test('a long value is cut in the message and whole in the error', () => {
  try {
    expectSame('x'.repeat(10_000), '', 'the body');
    expect.unreachable();
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    expect(error.message.length).toBeLessThan(700);
    expect(error.actual).toHaveLength(10_000);
  }
});

test('what is the same in all its depth passes', () => {
  expectSame({ a: [1, new Set([2])] }, { a: [1, new Set([2])] }, 'counts');
});
