/** Shortest time between two hints of one queue that a process sends, in milliseconds. */
const LEAST_INTERVAL_MS = 50;

interface Recent {
  readonly timer: NodeJS.Timeout;
  /** Whether another hint is due when the interval ends. */
  isDue: boolean;
}

/**
 * When a process tells the others that a queue has work: at once the first time, and those of the next moments become
 * one. A hint that cannot be sent is lost.
 */
export class HintPace {
  /** Queues of which a hint was sent a moment ago. */
  private readonly recent = new Map<string, Recent>();
  private readonly sending = new Set<Promise<void>>();

  constructor(private readonly sendNow: (queue: string) => Promise<unknown>) {}

  /** Call after work was stored. */
  tell(queue: string): void {
    const recent = this.recent.get(queue);
    if (recent === undefined) this.send(queue);
    else recent.isDue = true;
  }

  /** Those of the queues whose hint the caller sends by himself, now, with what he stores. */
  claim(queues: Iterable<string>): ReadonlySet<string> {
    const claimed = new Set(queues);
    for (const queue of claimed) {
      if (this.recent.has(queue)) claimed.delete(queue);
      else this.beginInterval(queue);
    }
    return claimed;
  }

  /** Sends what is due, and resolves when everything was sent. */
  async close(): Promise<void> {
    const due = [...this.recent].filter(([, { isDue }]) => isDue);
    for (const [queue] of due) this.send(queue);
    for (const { timer } of this.recent.values()) clearTimeout(timer);
    this.recent.clear();
    await Promise.all(this.sending);
  }

  private send(queue: string): void {
    this.beginInterval(queue);
    const sent = this.sendNow(queue)
      .catch(() => undefined)
      .then(() => void this.sending.delete(sent));
    this.sending.add(sent);
  }

  private beginInterval(queue: string): void {
    clearTimeout(this.recent.get(queue)?.timer);
    const timer = setTimeout(() => this.afterInterval(queue), LEAST_INTERVAL_MS).unref();
    this.recent.set(queue, { timer, isDue: false });
  }

  private afterInterval(queue: string): void {
    const isDue = this.recent.get(queue)?.isDue === true;
    this.recent.delete(queue);
    if (isDue) this.send(queue);
  }
}
