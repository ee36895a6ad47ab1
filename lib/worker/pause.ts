import { setImmediate as nextTurn } from 'node:timers/promises';

/** Resolves after `ms`, or as soon as the signal aborts. Never rejects. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}

/** Resolves when `work` has settled or `ms` have passed, whichever is first; true when it settled. Never rejects. */
export async function settledWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const tooLate = new AbortController();
  const ended = work.then(
    () => true,
    () => true,
  );
  const result = await Promise.race([ended, pause(ms, tooLate.signal).then(() => false)]);
  tooLate.abort();
  return result;
}

/** Longest time in milliseconds in which the loop turns without letting timers, signals and sockets have theirs. */
const MAX_HOLD_MS = 10;

/** Lets the rest of the process have its turn, now and then. */
export class Breather {
  #last = performance.now();

  /** Gives way to the event loop at once. Jobs that end meanwhile free their slots for one larger reserve. */
  async breathe(): Promise<void> {
    await nextTurn();
    this.#last = performance.now();
  }

  /** The same, but only when the last time is a while ago. */
  async breatheNowAndThen(): Promise<void> {
    if (performance.now() - this.#last >= MAX_HOLD_MS) await this.breathe();
  }
}
