import type { ListenHandle } from './executor/pooled/open-pooled.js';
import type { SqlGate } from './sql-gate.js';
import type { WakeUp } from '../../contract/wake-up.js';

/**
 * Shortest time between two hints of one queue that this process sends, in milliseconds. PostgreSQL lets one transaction
 * with a hint commit at a time, so a hint for each push would make pushes wait for each other.
 */
const LEAST_INTERVAL_MS = 50;

export interface HintOptions {
  readonly gate: SqlGate;
  readonly wakeUp: WakeUp;
  /** False where connections go through a pooler that passes no hints on. */
  readonly enabled: boolean;
}

interface Recent {
  readonly timer: NodeJS.Timeout;
  /** Whether another hint is due when the interval ends. */
  isDue: boolean;
}

/**
 * Tells waiting workers of other processes about work, and hears of theirs, where the database passes that on. The first
 * hint of a queue goes at once; those of the next moments become one. A hint may be lost, and then costs the pause.
 */
export class Hints {
  /** Queues of which a hint was sent a moment ago. */
  private readonly recent = new Map<string, Recent>();
  private readonly sending = new Set<Promise<void>>();
  private listening: Promise<ListenHandle | null> | undefined;
  private enabled: boolean;

  constructor(private readonly options: HintOptions) {
    this.enabled = options.enabled;
  }

  /** Call when somebody waits for work. Listens from the first call on; nobody waits for that. */
  listen(): void {
    if (this.enabled) this.listening ??= this.startListening();
  }

  /** Call after work was stored. */
  tell(queue: string): void {
    if (!this.enabled) return;
    const recent = this.recent.get(queue);
    if (recent === undefined) this.send(queue);
    else recent.isDue = true;
  }

  /** Those of the queues whose hint the caller sends by itself, now, with what it stores. */
  claim(queues: Iterable<string>): ReadonlySet<string> {
    const claimed = new Set(this.enabled ? queues : []);
    for (const queue of claimed) {
      if (this.recent.has(queue)) claimed.delete(queue);
      else this.beginInterval(queue);
    }
    return claimed;
  }

  /** Sends what is due, and stops to listen. */
  async close(): Promise<void> {
    const due = [...this.recent].filter(([, { isDue }]) => isDue);
    for (const [queue] of due) this.send(queue);
    for (const { timer } of this.recent.values()) clearTimeout(timer);
    this.recent.clear();
    await Promise.all(this.sending);
    await (await this.listening)?.close();
  }

  private send(queue: string): void {
    this.beginInterval(queue);
    const sent = this.sendNow(queue)
      .catch(() => undefined)
      .then(() => void this.sending.delete(sent));
    this.sending.add(sent);
  }

  private async sendNow(queue: string): Promise<void> {
    const { gate } = this.options;
    const { hint } = (await gate.database()).dialect;
    if (hint === null) this.enabled = false;
    else await gate.session((session) => hint.send(session, queue));
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

  private async startListening(): Promise<ListenHandle | null> {
    const { gate, wakeUp } = this.options;
    try {
      const { dialect, listen } = await gate.database();
      if (listen === null || dialect.hint === null) return null;
      return listen({
        channel: dialect.hint.channel,
        onMessage: (queue) => wakeUp.notify(queue),
        // What was told before may have been missed.
        onListening: () => wakeUp.notifyAll(),
      });
    } catch {
      // The database cannot be reached: the next wait tries again.
      this.listening = undefined;
      return null;
    }
  }
}
