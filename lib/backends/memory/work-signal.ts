/** Lets waiters of one process sleep until work may be there. */
export class WorkSignal {
  readonly #waiters = new Set<() => void>();

  /** Wakes every waiter. */
  notify(): void {
    for (const wake of this.#waiters) wake();
  }

  /** Resolves when `notify()` is called, after `timeoutMs`, or when `signal` aborts; leaves no timer behind. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiters.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      this.#waiters.add(wake);
      signal.addEventListener('abort', wake);
    });
  }
}
