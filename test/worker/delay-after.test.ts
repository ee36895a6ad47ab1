import { expect, test } from 'vitest';
import { checkedDelay, delayAfter } from '../../lib/worker/delay-after.js';

const error = new Error('no');
const at = (attempt: number) => ({ attempt, error, job: {} });

test.each([
  [30, 1, 30],
  [0, 3, 0],
  [[10, 60, 300], 1, 10],
  [[10, 60, 300], 3, 300],
  [[10, 60, 300], 9, 300],
  [[], 1, 0],
  [{ base: 2 }, 1, 2],
  [{ base: 2 }, 4, 16],
  [{ base: 2, factor: 3, max: 10 }, 3, 10],
  [{ base: 0 }, 2_000, 0],
  [{ base: 1, max: 60 }, 2_000, 60],
  [(attempt: number) => attempt * 5, 2, 10],
])('the backoff %j gives after attempt %i a delay of %d s', (backoff, attempt, expected) => {
  expect(delayAfter(backoff, at(attempt), Infinity)).toEqual({ delaySeconds: expected, warning: null });
});

test('jitter only takes away, at most its share', () => {
  for (let index = 0; index < 200; index += 1) {
    const { delaySeconds } = delayAfter({ base: 100, jitter: 0.25 }, at(1), Infinity);
    expect(delaySeconds).toBeGreaterThanOrEqual(75);
    expect(delaySeconds).toBeLessThanOrEqual(100);
  }
});

test.each([[Number.NaN], [-1], ['5'], [undefined]])(
  'a function that gives %s means no delay, with a warning',
  (given) => {
    const delay = delayAfter(() => given as number, at(1), Infinity);
    expect(delay).toEqual({ delaySeconds: 0, warning: expect.stringContaining('backoff') });
  },
);

test("an async function means no delay, and its rejection is nobody else's trouble", async () => {
  const rejecting: () => unknown = async () => {
    throw error;
  };
  expect(delayAfter(rejecting as () => number, at(1), Infinity)).toMatchObject({ delaySeconds: 0 });
  await new Promise((resolve) => setImmediate(resolve));
});

test('a function that throws means no delay, with a warning', () => {
  const throwing = (): never => {
    throw error;
  };
  expect(delayAfter(throwing, at(1), Infinity)).toMatchObject({ delaySeconds: 0 });
  expect(delayAfter(throwing, at(1), Infinity).warning).not.toBeNull();
});

test('a function is asked with the attempt, the error and the job, and not without a job', () => {
  const job = {};
  const asked: unknown[] = [];
  const backoff = (...args: unknown[]): number => asked.push(args);
  delayAfter(backoff, { attempt: 2, error, job }, Infinity);
  delayAfter(backoff, { attempt: 3, error, job: null }, Infinity);
  expect(asked).toEqual([[2, error, job]]);
});

test('a delay beyond what the backend keeps is cut to it, with a warning; an endless one to a finite one', () => {
  expect(delayAfter(100, at(1), 60)).toMatchObject({
    delaySeconds: 60,
    warning: expect.stringContaining('60'),
  });
  for (const endless of [Infinity, 1e300]) {
    const { delaySeconds, warning } = checkedDelay(endless, Infinity, 'x');
    expect(new Date(Date.now() + delaySeconds * 1_000).getTime()).not.toBeNaN();
    expect(warning).toContain('cut to');
  }
});
