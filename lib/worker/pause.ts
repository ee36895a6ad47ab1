/** The longest delay of a timer; a longer one would fire at once. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/** Resolves when the promises that are settled now have run on, before the process turns to the next event. */
export function nextTick(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

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

/** What `work` resolves with, or null as soon as the signal aborts: the work is then left alone. Rejects as it does. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const done = new AbortController();
  try {
    const aborted = pause(LONGEST_TIMER_MS, AbortSignal.any([signal, done.signal]));
    return await Promise.race([work, aborted.then(() => null)]);
  } finally {
    done.abort();
  }
}
