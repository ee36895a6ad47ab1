import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hiddenTime } from '../../lib/backends/sqs/hidden-time.js';
import { asSqsReceipt, SqsReceipt } from '../../lib/backends/sqs/sqs-receipt.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function receipt(): SqsReceipt {
  return new SqsReceipt('mail', 'handle', 0, { body: '', attributes: {} });
}

it('a delivery is told when its time is over', () => {
  const held = receipt();
  held.endsIn(5_000);
  vi.advanceTimersByTime(4_999);
  expect(held.lost.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(held.lost.aborted).toBe(true);
});

it('a delivery that was settled is told nothing', () => {
  const settled = receipt();
  settled.endsIn(5_000);
  settled.settled();
  vi.advanceTimersByTime(10_000);
  expect(settled.lost.aborted).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

it('a receipt of another backend is a mistake', () => {
  expect(() => asSqsReceipt({ receiptHandle: 'handle' })).toThrow(TypeError);
});

it.each([
  ['as long as asked for, in whole seconds', 29.2, 0, { seconds: 30, cut: false }],
  ['at once', 0, 0, { seconds: 0, cut: false }],
  ['12 hours from the receive at most', 43_200, 0, { seconds: 43_195, cut: true }],
  ['12 hours from the receive, not from now', 3_600, 43_000, { seconds: 195, cut: true }],
  ['not for less than nothing', 60, 43_199, { seconds: 0, cut: true }],
])('a message is hidden %s', (_what, wanted, sinceSeconds, expected) => {
  expect(hiddenTime(wanted, 1_000, 1_000 + sinceSeconds * 1_000)).toMatchObject(expected);
});

it('a message is not hidden any more after 12 hours', () => {
  expect(hiddenTime(60, 1_000, 1_000 + 43_200_000)).toBeNull();
});
