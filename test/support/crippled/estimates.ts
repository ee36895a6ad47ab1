import type { QueueCounts } from '../../../lib/contract/index.js';

/** Counts that lag behind by one look, and say nothing where a broker would not know. */
export function estimated(before: QueueCounts, now: QueueCounts): QueueCounts {
  const { ready, delayed } = before;
  return { ready, delayed, reserved: null, failed: null, oldestReadySeconds: null, paused: now.paused };
}
