import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { InvalidQueueArgumentException } from '../../../lib/contract/index.js';
import {
  holdQueue,
  holdTtlMs,
  longestHoldMs,
  MAX_HOLD_MS,
  MAX_TTL_MS,
  routeOf,
  topologySettings,
} from '../../../lib/backends/rabbitmq/topology/index.js';

const granularity = fc.integer({ min: 100, max: MAX_HOLD_MS });

it('a hold queue expires after twice its time to live, for every one up to the cap', () => {
  const holds = (ttlMs: number): boolean => {
    const { name, arguments: args } = holdQueue('q', ttlMs);
    const doubled = args['x-expires'] === 2 * ttlMs && 2 * ttlMs <= MAX_TTL_MS;
    return doubled && args['x-message-ttl'] === ttlMs && name === `q.deferred.${ttlMs}`;
  };
  const wrong: number[] = [];
  for (let seconds = 1; seconds <= MAX_HOLD_MS / 1_000; seconds += 17) {
    if (!holds(seconds * 1_000)) wrong.push(seconds);
  }
  expect(wrong).toEqual([]);
  expect([1, 2, MAX_HOLD_MS - 1, MAX_HOLD_MS].every(holds)).toBe(true);
  fc.assert(fc.property(fc.integer({ min: 1, max: MAX_HOLD_MS }), holds), { numRuns: 2_000 });
});

it.each([0, -1, 0.5, MAX_HOLD_MS + 1, MAX_TTL_MS, Number.NaN])(
  'no hold queue has a time to live of %d',
  (ttlMs) => {
    expect(() => holdQueue('q', ttlMs)).toThrow(InvalidQueueArgumentException);
  },
);

it('what a hold queue is declared with follows from its name, not from the granularity that led to it', () => {
  const byTenths = topologySettings({ delays: 'hold', holdGranularityMs: 100, messageTtl: 5_000 });
  const bySeconds = topologySettings({ delays: 'hold', queueType: 'quorum' });
  expect(routeOf(byTenths, 'q', 29.95).waits).toEqual(routeOf(bySeconds, 'q', 29.2).waits);
});

it('a delay is rounded up to the next step, never down, and never by a whole step', () => {
  fc.assert(
    fc.property(granularity, fc.double({ min: 0.001, max: 2_000_000, noNaN: true }), (step, delay) => {
      fc.pre(delay * 1_000 <= longestHoldMs(step));
      const ttlMs = holdTtlMs(delay, step);
      expect(ttlMs % step).toBe(0);
      expect(ttlMs).toBeGreaterThanOrEqual(step);
      // A nanosecond is the error of the product, not a delay cut short.
      expect(ttlMs).toBeGreaterThanOrEqual(delay * 1_000 - 1e-6);
      expect(ttlMs - delay * 1_000).toBeLessThan(step);
    }),
    { numRuns: 1_000 },
  );
});

it.each([
  [0.001, 1_000, 1_000],
  [29.2, 1_000, 30_000],
  [30, 1_000, 30_000],
  [30.000_1, 1_000, 31_000],
  [1.5, 100, 1_500],
  [16.1, 100, 16_100],
  [1e-12, 100, 100],
  [2_147_483, 1_000, 2_147_483_000],
  [2_147_483.647, 1_000, null],
  [2_147_484, 1_000, null],
  [0, 1_000, null],
  [-5, 1_000, null],
  [Number.NaN, 1_000, null],
])('a delay of %d s in steps of %d ms: %s ms', (delay, step, ttlMs) => {
  if (ttlMs === null) expect(() => holdTtlMs(delay, step)).toThrow(InvalidQueueArgumentException);
  else expect(holdTtlMs(delay, step)).toBe(ttlMs);
});

it('the longest hold is taken, one step more is refused with what is possible', () => {
  fc.assert(
    fc.property(granularity, (step) => {
      const longest = longestHoldMs(step);
      expect(holdTtlMs(longest / 1_000, step)).toBe(longest);
      expect(() => holdTtlMs((longest + 1) / 1_000, step)).toThrow(`at most ${longest / 1_000} seconds`);
    }),
  );
});

it('a held job goes straight to its hold queue and counts only when confirmed in time', () => {
  const route = routeOf(topologySettings({ delays: 'hold', queuePrefix: 'shop-' }), 'mail', 29.2);
  expect(route).toEqual({
    exchange: '',
    routingKey: 'shop-mail.deferred.30000',
    confirmWithinMs: 30_000,
    waits: [
      {
        kind: 'queue',
        name: 'shop-mail.deferred.30000',
        durable: true,
        arguments: {
          'x-queue-type': 'classic',
          'x-message-ttl': 30_000,
          'x-expires': 60_000,
          'x-dead-letter-exchange': '',
          'x-dead-letter-routing-key': 'shop-mail',
        },
      },
    ],
  });
});
