import { HintPace } from '../../contract/hint-pace.js';
import type { WakeUp } from '../../contract/wake-up.js';
import type { RedisClient } from './open-client.js';
import type { Wire } from './wire.js';

/** A subscription may be lost unseen, with a connection that is half open or was cut in mid-word. */
const RENEWED_AFTER_MS = 10_000;
const TRIED_AGAIN_AFTER_MS = 1_000;

/**
 * Tells waiting workers of other processes about work, and hears of theirs, on a channel. The first hint of a queue
 * goes at once; those of the next moments become one. A hint may be lost, and then costs the pause.
 */
export class Hints {
  private readonly pace: HintPace;
  private listening: Promise<RedisClient | null> | undefined;
  private closed = false;
  private isAnswered = true;
  /** On the monotonic clock of this process. */
  private renewsAt = 0;

  constructor(
    private readonly wire: Wire,
    private readonly wakeUp: WakeUp,
    readonly channel: string,
  ) {
    this.pace = new HintPace((queue) => wire.send('publish', [channel, queue]), { leastMs: 2 });
  }

  /** Call when somebody waits for work. Listens from the first call on; nobody waits for that. */
  listen(): void {
    if (this.closed) return;
    this.listening ??= this.startListening();
    if (performance.now() < this.renewsAt) return;
    this.renewsAt = performance.now() + RENEWED_AFTER_MS;
    void this.listening.then((subscriber) => this.renew(subscriber));
  }

  /** Call after work was stored. */
  tell(queue: string): void {
    this.pace.tell(queue);
  }

  /** Whether the caller is to send the hint by himself, now, with what he stores; if not, he tells of it afterwards. */
  claim(queue: string): boolean {
    return this.pace.claim([queue]).has(queue);
  }

  /** Sends what is due, and stops to listen. */
  async close(): Promise<void> {
    this.closed = true;
    await this.pace.close();
    (await this.listening)?.disconnect();
  }

  private async startListening(): Promise<RedisClient | null> {
    try {
      const subscriber = await this.wire.another();
      subscriber.on('message', (_channel: string, queue: string) => this.wakeUp.notify(queue));
      subscriber.on('ready', () => this.subscribe(subscriber));
      subscriber.once('end', () => (this.listening = undefined));
      subscriber.connect().catch(() => undefined);
      return subscriber;
    } catch {
      // The client could not be made: the next wait tries again.
      this.listening = undefined;
      return null;
    }
  }

  private renew(subscriber: RedisClient | null): void {
    if (subscriber?.status !== 'ready') return;
    if (this.isAnswered) this.subscribe(subscriber);
    // Nobody is at the other end. The next wait begins anew.
    else subscriber.disconnect();
  }

  private subscribe(subscriber: RedisClient): void {
    this.isAnswered = false;
    this.renewsAt = performance.now() + RENEWED_AFTER_MS;
    subscriber.subscribe(this.channel).then(
      () => {
        this.isAnswered = true;
        // Before somebody listened hints may have been missed.
        this.wakeUp.notifyAll();
      },
      () => {
        // The server was away, or forbids it.
        this.isAnswered = true;
        this.renewsAt = performance.now() + TRIED_AGAIN_AFTER_MS;
      },
    );
  }
}
