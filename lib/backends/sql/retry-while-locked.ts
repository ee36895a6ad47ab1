import { setTimeout as pause } from 'node:timers/promises';

/** Shortest pause between two tries in milliseconds; up to twice as long, so that processes do not march in step. */
const PAUSE_MS = 10;

/** Tries again what a lock stopped, until `longestMs` have passed; the event loop turns in between. */
export async function retryWhileLocked<T>(
  step: () => Promise<T>,
  isLocked: (error: unknown) => boolean,
  longestMs: number,
): Promise<T> {
  const end = Date.now() + longestMs;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      const pauseMs = PAUSE_MS * (1 + Math.random());
      if (!isLocked(error) || Date.now() + pauseMs >= end) throw error;
      await pause(pauseMs);
    }
  }
}
