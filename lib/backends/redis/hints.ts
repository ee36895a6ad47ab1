import type { WakeUp } from '../../contract/wake-up.js';
import type { RedisClient } from './open-client.js';
import type { Wire } from './wire.js';

/** Shortest time between two hints of one queue that this process sends, in milliseconds: each wakes every idle worker. */
const LEAST_INTERVAL_MS = 50;

interface Recent {
  readonly timer: NodeJS.Timeout;
  /** Whether another hint is due when the interval ends. */
  isDue: boolean;
}

/**
 * Tells waiting workers of other processes about work, and hears of theirs, on a channel. The first hint of a queue goes
 * at once; those of the next moments become one. A hint may be lost, and then costs the pause.
 */
export class Hints {
  /** Queues of which a hint was sent a moment ago. */
  private readonly recent = new Map<string, Recent>();
  private readonly sending = new Set<Promise<void>>();
  private listening: Promise<RedisClient | null> | undefined;
  private closed = false;

  constructor(
    private readonly wire: Wire,
    private readonly wakeUp: WakeUp,
    readonly channel: string,
  ) {}

  /** Call when somebody waits for work. Listens from the first call on; nobody waits for that. */
  listen(): void {
    if (!this.closed) this.listening ??= this.startListening();
  }

  /** Call after work was stored. */
  tell(queue: string): void {
    const recent = this.recent.get(queue);
    if (recent === undefined) this.send(queue);
    else recent.isDue = true;
  }

  /** Whether the caller is to send the hint by himself, now, with what he stores; if not, it is sent later. */
  claim(queue: string): boolean {
    const recent = this.recent.get(queue);
    if (recent === undefined) this.beginInterval(queue);
    else recent.isDue = true;
    return recent === undefined;
  }

  /** Sends what is due, and stops to listen. */
  async close(): Promise<void> {
    this.closed = true;
    const due = [...this.recent].filter(([, { isDue }]) => isDue);
    for (const [queue] of due) this.send(queue);
    for (const { timer } of this.recent.values()) clearTimeout(timer);
    this.recent.clear();
    await Promise.all(this.sending);
    (await this.listening)?.disconnect();
  }

  private send(queue: string): void {
    this.beginInterval(queue);
    const sent = this.wire
      .send('publish', [this.channel, queue])
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

  private async startListening(): Promise<RedisClient | null> {
    try {
      const subscriber = await this.wire.another();
      subscriber.on('message', (_channel: string, queue: string) => this.wakeUp.notify(queue));
      // Before a connection is there, and after one was lost, hints may have been missed.
      subscriber.on('ready', () => this.wakeUp.notifyAll());
      subscriber.subscribe(this.channel).then(
        () => this.wakeUp.notifyAll(),
        () => this.listenLater(subscriber),
      );
      return subscriber;
    } catch {
      // The client could not be made: the next wait tries again.
      this.listening = undefined;
      return null;
    }
  }

  /** The server was away, or forbids it: the next wait tries again. */
  private listenLater(subscriber: RedisClient): void {
    subscriber.disconnect();
    this.listening = undefined;
  }
}
