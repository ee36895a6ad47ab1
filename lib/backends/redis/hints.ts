import { HintPace } from '../../contract/hint-pace.js';
import type { WakeUp } from '../../contract/wake-up.js';
import type { RedisClient } from './open-client.js';
import type { Wire } from './wire.js';

/**
 * Tells waiting workers of other processes about work, and hears of theirs, on a channel. The first hint of a queue
 * goes at once; those of the next moments become one. A hint may be lost, and then costs the pause.
 */
export class Hints {
  private readonly pace: HintPace;
  private listening: Promise<RedisClient | null> | undefined;
  private closed = false;

  constructor(
    private readonly wire: Wire,
    private readonly wakeUp: WakeUp,
    readonly channel: string,
  ) {
    this.pace = new HintPace((queue) => wire.send('publish', [channel, queue]));
  }

  /** Call when somebody waits for work. Listens from the first call on; nobody waits for that. */
  listen(): void {
    if (!this.closed) this.listening ??= this.startListening();
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
