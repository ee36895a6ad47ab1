interface Waiter {
  readonly queues: readonly string[];
  readonly wake: () => void;
}

/** Wakes those of this process that wait for work. A hint only: what nobody tells of is found when the pause ends. */
export class WakeUp {
  private readonly waiters = new Set<Waiter>();
  /** Queues that are swept by this process and got work since their last sweep began. */
  private readonly fresh = new Map<string, boolean>();

  /** Call before a sweep: what is stored from now on may be missed by it. */
  sweeping(queues: readonly string[]): void {
    for (const queue of queues) this.fresh.set(queue, false);
  }

  /** Call when there is work. */
  notify(queue: string): void {
    if (this.fresh.has(queue)) this.fresh.set(queue, true);
    for (const waiter of this.waiters) if (waiter.queues.includes(queue)) waiter.wake();
  }

  /** Call when work may have been missed. */
  notifyAll(): void {
    for (const queue of this.fresh.keys()) this.fresh.set(queue, true);
    for (const waiter of this.waiters) waiter.wake();
  }

  /** Resolves when there may be work, the time is over, or the signal aborts. Leaves no timer behind. */
  async wait(queues: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || timeoutMs <= 0 || queues.some((queue) => this.fresh.get(queue) === true)) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.waiters.delete(waiter);
        resolve();
      };
      const waiter: Waiter = { queues, wake };
      const timer = setTimeout(wake, timeoutMs);
      signal.addEventListener('abort', wake);
      this.waiters.add(waiter);
    });
  }

  /** Ends every wait. */
  close(): void {
    for (const waiter of this.waiters) waiter.wake();
  }
}
