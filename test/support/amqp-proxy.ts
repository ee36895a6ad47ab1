import { once } from 'node:events';
import { type AmqpFrame, type AmqpMethod, connectionClose, frameReader, namesIn } from './amqp-frames.js';
import { type Relay, TcpProxy, type Wire } from './tcp-proxy.js';

export type Side = 'client' | 'server';

/** A frame that is waited for, and what becomes of it. */
export interface Step {
  readonly from: Side;
  readonly method: AmqpMethod | readonly AmqpMethod[];
  readonly matches?: (frame: AmqpFrame) => boolean;
  /**
   * `pass`: it goes on its way. `cut`: it does not, and its connection ends. `hold`: it and all that follows, either way,
   * waits for `release()`.
   */
  readonly fate: 'pass' | 'cut' | 'hold';
}

/** Writes a frame anew, in as many bytes; undefined leaves it as it is. */
export type Rewrite = (frame: AmqpFrame) => Buffer | undefined;

interface Script {
  readonly steps: Step[];
  readonly happened: () => void;
}

/** What all connections of a proxy share. */
interface State {
  script: Script | null;
  /** What waits for `release()`. */
  held: (() => void)[] | null;
  rewrite: Rewrite;
  readonly declared: Set<string>;
}

/** What a connection is at the proxy. */
interface Line {
  readonly wire: Wire;
  /** The server has answered to the end of the connection; null while nobody has asked for it. */
  closed: (() => void) | null;
}

/** A wire to RabbitMQ that knows what it carries, frame by frame. */
export class AmqpProxy {
  readonly #tcp: TcpProxy;
  readonly #lines: Set<Line>;
  readonly #state: State;

  private constructor(tcp: TcpProxy, lines: Set<Line>, state: State) {
    this.#tcp = tcp;
    this.#lines = lines;
    this.#state = state;
  }

  /** To the server at an amqp:// URL. */
  static async open(server: URL): Promise<AmqpProxy> {
    const lines = new Set<Line>();
    const state: State = { script: null, held: null, rewrite: () => undefined, declared: new Set() };
    const host = server.hostname;
    const port = Number(server.port) || 5672;
    const relay = (wire: Wire): Relay => relayOf(wire, lines, state);
    return new AmqpProxy(await TcpProxy.open({ host, port, relay }), lines, state);
  }

  /** The same URL, by way of this proxy. */
  through(server: URL): string {
    const through = new URL(server);
    through.host = `127.0.0.1:${this.#tcp.port}`;
    return through.href;
  }

  /** The queues that were declared by way of this proxy. */
  get declared(): readonly string[] {
    return [...this.#state.declared];
  }

  /** Connections that are open. */
  get connections(): number {
    return this.#lines.size;
  }

  /** Waits for these frames one after the other, on any connection; resolves when the last has come. One script a time. */
  script(...steps: readonly Step[]): Promise<void> {
    return new Promise((happened) => (this.#state.script = { steps: [...steps], happened }));
  }

  /** Loses the next publish on its way, or the next confirmation after it, and cuts the connection. */
  lose(part: 'request' | 'answer'): Promise<void> {
    const publish = { from: 'client', method: 'basic.publish' } as const;
    if (part === 'request') return this.script({ ...publish, fate: 'cut' });
    const confirmation = { from: 'server', method: ['basic.ack', 'basic.nack'] } as const;
    return this.script({ ...publish, fate: 'pass' }, { ...confirmation, fate: 'cut' });
  }

  /** From now on the client's frames arrive as they are written anew. */
  rewrite(rewrite: Rewrite): void {
    this.#state.rewrite = rewrite;
  }

  /** Lets go what a step has held. */
  release(): void {
    const held = this.#state.held ?? [];
    this.#state.held = null;
    for (const pass of held) pass();
  }

  /**
   * Ends every connection in the client's name; the client sees it cut. Resolves when both have noticed: the server has
   * closed the channels, so that all that was unacknowledged is back on its queue.
   */
  async disconnect(): Promise<void> {
    await Promise.all(
      [...this.#lines].map(async (line) => {
        const { client, server } = line.wire;
        await new Promise<void>((closed) => {
          line.closed = closed;
          server.once('close', closed);
          server.write(connectionClose());
        });
        if (client.destroyed) return;
        const gone = once(client, 'close');
        client.end();
        await gone;
      }),
    );
  }

  cut(): void {
    this.#tcp.cut();
  }

  down(): void {
    this.#tcp.down();
  }

  up(): void {
    this.#tcp.up();
  }

  close(): Promise<void> {
    return this.#tcp.close();
  }
}

function relayOf(wire: Wire, lines: Set<Line>, state: State): Relay {
  const line: Line = { wire, closed: null };
  lines.add(line);
  wire.client.once('close', () => lines.delete(line));
  const pass = (side: Side, frame: AmqpFrame): void => {
    if (line.closed !== null) {
      if (side === 'server' && frame.method === 'connection.close-ok') line.closed();
    } else if (side === 'server') wire.client.write(frame.bytes);
    else wire.server.write(state.rewrite(frame) ?? frame.bytes);
  };
  const meet = (side: Side, frame: AmqpFrame): void => {
    if (wire.client.destroyed) return;
    if (frame.method === 'queue.declare') state.declared.add(namesIn(frame)[0] ?? '');
    const fate = state.held === null ? met(state, side, frame) : 'pass';
    if (fate === 'cut') return wire.cut();
    if (fate === 'hold') state.held = [];
    if (state.held === null) pass(side, frame);
    else state.held.push(() => pass(side, frame));
  };
  const reader = (side: Side): ((chunk: Buffer) => void) => {
    const read = frameReader();
    return (chunk) => {
      for (const frame of read(chunk)) meet(side, frame);
    };
  };
  return { fromClient: reader('client'), fromServer: reader('server') };
}

/** What the script says of a frame; `pass` where it says nothing. */
function met(state: State, side: Side, frame: AmqpFrame): Step['fate'] {
  const { script } = state;
  const step = script?.steps[0];
  if (script == null || step === undefined || step.from !== side || frame.method === null) return 'pass';
  if (![step.method].flat().includes(frame.method) || step.matches?.(frame) === false) return 'pass';
  script.steps.shift();
  if (script.steps.length === 0) {
    state.script = null;
    script.happened();
  }
  return step.fate;
}
