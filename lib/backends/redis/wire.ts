import { importIoRedis, type IoRedis } from './import-ioredis.js';
import { openClient, type RedisClient } from './open-client.js';
import type { RedisSettings } from './redis.options.js';
import { WireFailed } from './wire-failed.js';

export type WireArgument = string | Buffer | number;

interface Open {
  readonly client: RedisClient;
  readonly ioredis: IoRedis;
}

/** What goes in place of a command that nobody waits for any more, so that replies stay in step. */
const IN_ITS_PLACE = '*1\r\n$4\r\nPING\r\n';

/**
 * The way to the server: opened at first use, bounded in its waits, shut by `close()`. It knows of each command whether
 * its bytes were handed to a socket, and a command that was given up on before is never sent.
 *
 * Rejects with `WireFailed` when no answer came, and with ioredis' `ReplyError` when the server answered an error.
 */
export class Wire {
  private opening: Promise<Open> | undefined;
  private closed = false;
  private lastTrouble: unknown;
  private readonly underWay = new Set<Promise<unknown>>();

  constructor(private readonly settings: RedisSettings) {}

  /** Sends a command once. The reply's texts are buffers. */
  async send(name: string, args: readonly WireArgument[]): Promise<unknown> {
    const { client, ioredis } = await this.open();
    const reply = this.dispatch(client, ioredis, name, args);
    const settled = reply.then(
      () => undefined,
      () => undefined,
    );
    this.underWay.add(settled);
    void settled.then(() => this.underWay.delete(settled));
    return reply;
  }

  /** A connection of its own, for a subscriber; the caller closes it. On a cluster, one to the same nodes. */
  async another(): Promise<RedisClient> {
    const { ioredis } = await this.open();
    const client = openClient(ioredis, this.settings);
    client.on('error', () => undefined);
    return client;
  }

  /** Ends the connection when the commands that are under way have ended. */
  async close(): Promise<void> {
    this.closed = true;
    const opening = this.opening;
    this.opening = undefined;
    await Promise.all(this.underWay);
    const open = await opening?.catch(() => undefined);
    open?.client.disconnect();
  }

  private open(): Promise<Open> {
    if (this.closed) {
      return Promise.reject(
        new WireFailed(false, { cause: new Error('This connection of the queue was closed.') }),
      );
    }
    this.opening ??= this.openNow().catch((error: unknown) => {
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  }

  private async openNow(): Promise<Open> {
    const ioredis = await importIoRedis();
    const client = openClient(ioredis, this.settings);
    // ioredis prints what nobody listens to; what matters of it is the cause of the next command that fails.
    for (const event of ['error', 'node error']) {
      client.on(event, (error: unknown) => (this.lastTrouble = error));
    }
    return { client, ioredis };
  }

  private dispatch(
    client: RedisClient,
    { Command }: IoRedis,
    name: string,
    args: readonly WireArgument[],
  ): Promise<unknown> {
    const { commandTimeoutMs } = this.settings;
    return new Promise((resolve, reject) => {
      const state = { sent: false, givenUp: false };
      const command = new Command(name, [...args], { replyEncoding: null });
      const write = command.toWritable.bind(command);
      command.toWritable = (socket: object) => {
        if (state.givenUp) return IN_ITS_PLACE;
        state.sent = true;
        return write(socket);
      };
      const timer = setTimeout(() => {
        state.givenUp = true;
        const cause = new Error(`no answer within ${commandTimeoutMs} ms`, { cause: this.lastTrouble });
        reject(new WireFailed(state.sent, { cause }));
      }, commandTimeoutMs);
      const end = (): void => {
        state.givenUp = true;
        clearTimeout(timer);
      };
      command.promise.then(
        (reply: unknown) => {
          end();
          resolve(reply);
        },
        (error: unknown) => {
          end();
          reject(
            state.sent && isReply(error) ? error : new WireFailed(state.sent, { cause: this.causeOf(error) }),
          );
        },
      );
      client.sendCommand(command);
    });
  }

  /** ioredis says only that it flushed its queue; the error of the connection says why. */
  private causeOf(error: unknown): unknown {
    const says = error instanceof Error && (isReply(error) || 'code' in error);
    return says ? error : (this.lastTrouble ?? error);
  }
}

export function isReply(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError';
}
