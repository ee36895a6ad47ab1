import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HintPace } from '../../lib/contract/hint-pace.js';

describe('hints of new work', () => {
  let sent: number[];
  let pace: HintPace;
  const START_MS = 1_000_000;

  beforeEach(() => {
    vi.useFakeTimers({ now: START_MS });
    sent = [];
    pace = new HintPace(async () => void sent.push(Date.now() - START_MS), { leastMs: 2 });
  });
  afterEach(() => vi.useRealTimers());

  async function tellEvery(gapMs: number, forMs: number): Promise<void> {
    for (let ms = 0; ms < forMs; ms += gapMs) {
      pace.tell('mail');
      await vi.advanceTimersByTimeAsync(gapMs);
    }
  }

  it('are sent at once for work that comes now and then', async () => {
    await tellEvery(10, 100);
    expect(sent).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
  });

  it('become fewer the longer work streams in, to 20 a second', async () => {
    await tellEvery(1, 400);
    expect(sent.slice(0, 5)).toEqual([0, 2, 6, 14, 30]);
    expect(sent.slice(5).every((at, index) => at - (sent[index + 4] ?? 0) >= 32)).toBe(true);
    expect(sent.at(-1)! - sent.at(-2)!).toBe(50);
  });

  it('are prompt again after a quiet moment', async () => {
    await tellEvery(1, 400);
    await vi.advanceTimersByTimeAsync(100);
    sent.length = 0;
    const before = Date.now() - START_MS;
    pace.tell('mail');
    expect(sent).toEqual([before]);
    await vi.advanceTimersByTimeAsync(3);
    pace.tell('mail');
    expect(sent).toEqual([before, before + 3]);
  });

  it('come after the last work of a stream', async () => {
    await tellEvery(1, 25);
    const last = Date.now() - START_MS;
    await vi.advanceTimersByTimeAsync(100);
    expect(sent.at(-1)).toBeGreaterThanOrEqual(last - 1);
  });

  it('are left to a caller who sends his own, but not within the interval of the last', async () => {
    expect(pace.claim(['mail', 'news'])).toEqual(new Set(['mail', 'news']));
    expect(pace.claim(['mail', 'other'])).toEqual(new Set(['other']));
    await vi.advanceTimersByTimeAsync(2);
    expect(pace.claim(['mail'])).toEqual(new Set(['mail']));
    expect(sent).toEqual([]);
  });

  it('that are due are sent when it closes', async () => {
    pace.tell('mail');
    pace.tell('mail');
    await pace.close();
    expect(sent).toEqual([0, 0]);
  });
});
