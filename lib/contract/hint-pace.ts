/** Time between two hints of a queue on which work streams in, in milliseconds. */
const LONGEST_INTERVAL_MS = 50;

/** `leastMs`: shortest time between two hints of one queue that a process sends. */
export interface HintPaceOptions {
  readonly leastMs: number;
}

interface Recent {
  readonly timer: NodeJS.Timeout;
  readonly intervalMs: number;
  /** Whether another hint is due when the interval ends. */
  isDue: boolean;
}

/**
 * When a process tells the others that a queue has work: at once the first time, and those of the next moments become
 * one. The moments grow while work streams in, when workers find it without being told, and are short again after one
 * in which none came. A hint that cannot be sent is lost.
 */
export class HintPace {
  /** Queues of which a hint was sent a moment ago. */
  private readonly recent = new Map<string, Recent>();
  private readonly sending = new Set<Promise<void>>();

  constructor(
    private readonly sendNow: (queue: string) => Promise<unknown>,
    private readonly options: HintPaceOptions,
  ) {}

  /** Call after work was stored. */
  tell(queue: string): void {
    const recent = this.recent.get(queue);
    if (recent === undefined) this.send(queue, this.options.leastMs);
    else recent.isDue = true;
  }

  /** Those of the queues whose hint the caller sends by himself, now, with what he stores. */
  claim(queues: Iterable<string>): ReadonlySet<string> {
    const claimed = new Set(queues);
    for (const queue of claimed) {
      if (this.recent.has(queue)) claimed.delete(queue);
      else this.beginInterval(queue, this.options.leastMs);
    }
    return claimed;
  }

  /** Sends what is due, and resolves when everything was sent. */
  async close(): Promise<void> {
    const due = [...this.recent].filter(([, { isDue }]) => isDue);
    for (const [queue, { intervalMs }] of due) this.send(queue, intervalMs);
    for (const { timer } of this.recent.values()) clearTimeout(timer);
    this.recent.clear();
    await Promise.all(this.sending);
  }

  private send(queue: string, intervalMs: number): void {
    this.beginInterval(queue, intervalMs);
    const sent = this.sendNow(queue)
      .catch(() => undefined)
      .then(() => void this.sending.delete(sent));
    this.sending.add(sent);
  }

  private beginInterval(queue: string, intervalMs: number): void {
    clearTimeout(this.recent.get(queue)?.timer);
    const timer = setTimeout(() => this.afterInterval(queue), intervalMs).unref();
    this.recent.set(queue, { timer, intervalMs, isDue: false });
  }

  private afterInterval(queue: string): void {
    const recent = this.recent.get(queue);
    this.recent.delete(queue);
    if (recent?.isDue === true) this.send(queue, Math.min(LONGEST_INTERVAL_MS, recent.intervalMs * 2));
  }
}
