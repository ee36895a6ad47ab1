import { expect, test, vi } from 'vitest';
import { newId } from '../../lib/queue/new-id.js';

test('an id is 32 hexadecimal digits, and no two are the same', () => {
  const ids = Array.from({ length: 10_000 }, newId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
});

test('ids of later milliseconds come behind those of earlier ones', () => {
  vi.useFakeTimers();
  try {
    const times = [0, 1, 255, 1_796_000_000_000, 1_796_000_000_001, 281_474_976_710_655];
    const ids = times.map((time) => {
      vi.setSystemTime(time);
      return newId();
    });
    expect(ids.toSorted()).toEqual(ids);
    expect(ids.map((id) => Number.parseInt(id.slice(0, 12), 16))).toEqual(times);
  } finally {
    vi.useRealTimers();
  }
});
