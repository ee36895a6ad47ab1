import type { RedisClient } from './open-client.js';

/** A command that waits for its client. */
export interface Held {
  /** The client is ready. */
  send(): void;
  /** It could not be reached; it goes on trying, and whoever wants to wait may come again. */
  refuse(): void;
}

/**
 * Holds commands back until their client is ready. ioredis has a queue for them as well, but keeps there, for as long as
 * a cluster or all of Sentinel is away, also those that nobody waits for any more.
 */
export class Gate {
  private readonly held = new Set<Held>();

  constructor(private readonly client: RedisClient) {
    client.on('ready', () => this.leave(({ send }) => send()));
    for (const event of ['close', 'end']) client.on(event, () => this.leave(({ refuse }) => refuse()));
  }

  /** Calls one of the two, now or later; answers how to take the command back before. */
  pass(command: Held): () => void {
    // Those that wait go first, though the client is ready: it tells so in the next turn.
    if (this.client.status === 'ready' && this.held.size === 0) {
      command.send();
      return () => undefined;
    }
    this.held.add(command);
    if (this.client.status === 'wait') this.client.connect().catch(() => undefined);
    return () => void this.held.delete(command);
  }

  private leave(how: (command: Held) => void): void {
    const leaving = [...this.held];
    this.held.clear();
    for (const command of leaving) how(command);
  }
}
