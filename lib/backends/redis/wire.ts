import type { Command } from 'ioredis';
import { Gate } from './gate.js';
import { importIoRedis, type IoRedis } from './import-ioredis.js';
import { openClient, type RedisClient } from './open-client.js';
import type { RedisSettings } from './redis.options.js';
import { WireFailed } from './wire-failed.js';
import { withoutArguments } from './without-arguments.js';

export type WireArgument = string | Buffer | number;

interface Open {
  readonly client: RedisClient;
  readonly gate: Gate;
  readonly ioredis: IoRedis;
}

/** What goes in place of a command that nobody waits for any more, so that replies stay in step. */
const IN_ITS_PLACE = '*1\r\n$4\r\nPING\r\n';

/** How far a command came. */
interface CommandState {
  /** Its bytes were handed to a socket, and no answer says that they had no effect. */
  sent: boolean;
  /** Nobody waits for it any more. */
  givenUp: boolean;
  /** The error that the server answered last, if nothing was sent since. */
  refusal?: Error | undefined;
}

/** A command of ioredis that notes when it is written, and is not written when it was given up on. */
type NotingCommand = new (name: string, args: readonly WireArgument[], state: CommandState) => Command;

/** One class for all commands of an ioredis, which is there only at run time. */
const noting = new WeakMap<IoRedis['Command'], NotingCommand>();

function notingCommandOf({ Command }: IoRedis): NotingCommand {
  class Noting extends Command {
    constructor(
      name: string,
      args: readonly WireArgument[],
      private readonly state: CommandState,
    ) {
      // ioredis copies them.
      super(name, args as WireArgument[], { replyEncoding: null });
    }

    override toWritable(socket: object): string | Buffer {
      if (this.state.givenUp) return IN_ITS_PLACE;
      this.state.sent = true;
      this.state.refusal = undefined;
      return super.toWritable(socket);
    }
  }
  noting.set(Command, Noting);
  return Noting;
}

/**
 * What is answered with an error was not applied. On a cluster that may be a redirection: what the command then waits for
 * may never come, and its outcome is known all the same.
 */
function noteRefusals(command: Command, state: CommandState): void {
  const reject = command.reject;
  command.reject = (error) => {
    if (state.sent && isReply(error)) {
      state.sent = false;
      state.refusal = error;
    }
    reject.call(command, error);
  };
}

/**
 * The way to the server: opened at first use, bounded in its waits, shut by `close()`. It knows of each command whether
 * its bytes were handed to a socket, and a command that was given up on before is never sent.
 *
 * Rejects with `WireFailed` when no answer came, and with ioredis' `ReplyError` when the server answered an error.
 */
export class Wire {
  private opening: Promise<Open> | undefined;
  private client: RedisClient | undefined;
  private closed = false;
  private lastTrouble: unknown;
  /** How many commands are under way, and who waits for their end. */
  private underWay = 0;
  private readonly waitingForEnd: (() => void)[] = [];

  constructor(private readonly settings: RedisSettings) {}

  /** Sends a command once. The reply's texts are buffers. */
  async send(name: string, args: readonly WireArgument[]): Promise<unknown> {
    const open = await this.open();
    this.underWay += 1;
    try {
      return await this.dispatch(open, name, args);
    } finally {
      this.underWay -= 1;
      if (this.underWay === 0) for (const tell of this.waitingForEnd.splice(0)) tell();
    }
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
    if (this.underWay > 0) await new Promise<void>((resolve) => this.waitingForEnd.push(resolve));
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
      client.on(event, (error: unknown) => (this.lastTrouble = withoutArguments(error)));
    }
    client.on('ready', () => (this.lastTrouble = undefined));
    // By its options it tries no longer. The next command has another one.
    client.once('end', () => {
      if (this.client === client) this.opening = undefined;
    });
    this.client = client;
    return { client, gate: new Gate(client), ioredis };
  }

  private dispatch(
    { client, gate, ioredis }: Open,
    name: string,
    args: readonly WireArgument[],
  ): Promise<unknown> {
    const { commandTimeoutMs } = this.settings;
    return new Promise((resolve, reject) => {
      const state: CommandState = { sent: false, givenUp: false };
      const Noting = noting.get(ioredis.Command) ?? notingCommandOf(ioredis);
      const command = new Noting(name, args, state);
      const end = (): void => {
        state.givenUp = true;
        clearTimeout(timer);
      };
      const fail = (cause: unknown): void => {
        end();
        reject(state.refusal ?? new WireFailed(state.sent, { cause }));
      };
      const timer = setTimeout(() => {
        takeBack();
        fail(new Error(`no answer within ${commandTimeoutMs} ms`, { cause: this.lastTrouble }));
      }, commandTimeoutMs);
      command.promise.then(
        (reply: unknown) => {
          end();
          resolve(reply);
        },
        (error: unknown) => fail(this.causeOf(withoutArguments(error))),
      );
      const takeBack = gate.pass({
        send() {
          client.sendCommand(command);
          noteRefusals(command, state);
        },
        refuse: () => fail(this.lastTrouble ?? new Error('The connection was closed.')),
      });
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
