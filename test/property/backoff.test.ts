import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_DELAY_SECONDS } from '../../lib/contract/index.js';
import { type Backoff, Job } from '../../lib/jobs/index.js';
import { delayAfter } from '../../lib/worker/delay-after.js';
import { LONG } from '../support/long.js';
import { repeated } from './repeated.js';

const MANY = repeated({ numRuns: LONG ? 20_000 : 1_000 });
const seconds = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 100_000 }),
  fc.double({ min: 0, max: Number.MAX_VALUE, noNaN: true }),
);
const exponential = fc.record(
  {
    base: seconds,
    factor: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.double({ min: 1, max: 1e300, noNaN: true })),
    max: seconds,
    jitter: fc.double({ min: 0, max: 1, noNaN: true }),
  },
  { requiredKeys: ['base'] },
);
/** Every rule that a declaration takes, but for functions. */
const rule = fc.oneof(seconds, fc.array(seconds, { minLength: 1, maxLength: 6 }), exponential);
const attempt = fc.oneof(
  fc.integer({ min: 1, max: 12 }),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
);
/** What a backend keeps. */
const longest = fc.oneof(
  fc.constant(Infinity),
  fc.constantFrom(900, 43_200),
  fc.integer({ min: 1, max: 4_194_303 }),
);

function after(backoff: Backoff, attemptNumber: number, longestSeconds = Infinity): number {
  return delayAfter(backoff, { attempt: attemptNumber, error: new Error('no'), job: {} }, longestSeconds)
    .delaySeconds;
}

describe('the delay after a failed attempt', () => {
  it('is a number of 0 or more that the backend keeps, whatever the rule and the attempt', () => {
    fc.assert(
      fc.property(rule, attempt, longest, (backoff, number, longestSeconds) => {
        const delay = after(backoff, number, longestSeconds);
        expect(delay).toBeGreaterThanOrEqual(0);
        expect(delay).toBeLessThanOrEqual(Math.min(longestSeconds, MAX_DELAY_SECONDS));
      }),
      MANY,
    );
  });

  it('of an exponential rule is never above its max, and jitter takes away its share at most', () => {
    fc.assert(
      fc.property(exponential, attempt, ({ jitter = 0, ...plain }, number) => {
        const whole = after(plain, number);
        const delay = after({ ...plain, jitter }, number);
        // The last digit of a product.
        const tolerance = 1e-9 * whole;
        if (plain.max !== undefined) expect(delay).toBeLessThanOrEqual(plain.max);
        expect(delay).toBeLessThanOrEqual(whole);
        expect(delay).toBeGreaterThanOrEqual(isCut(plain, number) ? 0 : whole * (1 - jitter) - tolerance);
      }),
      MANY,
    );
  });

  it('of an exponential rule without jitter never falls from one attempt to the next', () => {
    fc.assert(
      fc.property(
        exponential,
        fc.integer({ min: 1, max: 2_000 }),
        ({ jitter: _jitter, ...plain }, number) => {
          expect(after(plain, number + 1)).toBeGreaterThanOrEqual(after(plain, number));
        },
      ),
      MANY,
    );
  });

  it('of a list is the entry of the attempt, and the last one from there on', () => {
    const delays = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(delays, attempt, (list, number) => {
        expect(after(list, number)).toBe(list[Math.min(number, list.length) - 1]);
      }),
      MANY,
    );
  });

  it('of a function is what it gives, or 0 with a warning where that is no number of 0 or more', () => {
    const given = fc.oneof(fc.anything(), seconds, fc.double());
    fc.assert(
      fc.property(given, longest, (value, longestSeconds) => {
        const failed = { attempt: 1, error: new Error('no'), job: {} };
        const { delaySeconds, warning } = delayAfter(() => value as number, failed, longestSeconds);
        const usable = typeof value === 'number' && value >= 0;
        const expected = usable ? Math.min(value, longestSeconds, MAX_DELAY_SECONDS) : 0;
        expect(delaySeconds).toBe(expected);
        expect(warning === null).toBe(usable && value === expected);
      }),
      MANY,
    );
  });

  it('has a rule that a declaration takes: each of these is one', () => {
    fc.assert(
      fc.property(rule, (backoff) => {
        class Send {
          handle(): void {}
        }
        Job({ name: 'property.backoff', backoff })(Send);
      }),
      repeated({ numRuns: 200 }),
    );
  });
});

/** Whether the backend's own bound, and not the rule, said how long. */
function isCut(plain: Backoff, number: number): boolean {
  return after(plain, number) === MAX_DELAY_SECONDS;
}
