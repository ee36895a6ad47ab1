import assert from 'node:assert/strict';
import { inspect, isDeepStrictEqual } from 'node:util';

/** Longest that a value is shown in a message; the error holds it whole. */
const LONGEST_SHOWN = 300;

/** Fails with what was promised, what was expected and what came, where a value is not the same in all its depth. */
export function expectSame<T>(came: unknown, expected: T, promise: string): asserts came is T {
  if (isDeepStrictEqual(came, expected)) return;
  throw new assert.AssertionError({
    message: `${promise}: expected ${shown(expected)}, came ${shown(came)}`,
    actual: came,
    expected,
    operator: 'expectSame',
    stackStartFn: expectSame,
  });
}

function shown(value: unknown): string {
  const text = inspect(value, { depth: 4, breakLength: Infinity, maxArrayLength: 30, maxStringLength: 200 });
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
