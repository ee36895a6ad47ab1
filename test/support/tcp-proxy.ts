import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What a chunk on its way to the server is to those who want to lose it. */
export interface RequestKind {
  /** It asks for a change. */
  readonly writes: boolean;
  /** Its answer says that a change was made for good. */
  readonly commits: boolean;
}

/** Reads the requests of one connection, chunk by chunk. */
export type RequestReader = (chunk: Buffer) => RequestKind;

/** The two ends of one connection, for a relay to write to. */
export interface Wire {
  readonly client: Socket;
  readonly server: Socket;
  /** Cuts this connection. */
  cut(): void;
}

/** Gets the chunks of one connection and passes on what it sees fit. */
export interface Relay {
  fromClient(chunk: Buffer): void;
  fromServer(chunk: Buffer): void;
}

export interface TcpProxyOptions {
  readonly host: string;
  readonly port: number;
  /** Makes a reader for each connection; needed by `lose()`. */
  readonly reader?: () => RequestReader;
  /** Makes a relay for each connection, which then passes on everything itself; `lose()` has no effect. */
  readonly relay?: (wire: Wire) => Relay;
}

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  /** The next chunk from the server is not passed on. */
  losesAnswer: boolean;
}

const IGNORED: RequestReader = () => ({ writes: false, commits: false });

/** A wire to a server that can be cut. It listens on a free port of this machine. */
export class TcpProxy {
  readonly #links = new Set<Link>();
  readonly #listener: Server;
  #loss: { readonly part: 'request' | 'answer'; readonly happened: () => void } | null = null;
  #stalled = false;
  #down = false;

  private constructor(private readonly options: TcpProxyOptions) {
    this.#listener = createServer((client) => this.#accept(client));
  }

  static async open(options: TcpProxyOptions): Promise<TcpProxy> {
    const proxy = new TcpProxy(options);
    proxy.#listener.listen(0, '127.0.0.1');
    await once(proxy.#listener, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#listener.address() as AddressInfo).port;
  }

  /** Cuts every connection, in the middle of whatever it carries. New ones are let through. */
  cut(): void {
    for (const link of this.#links) this.#end(link);
  }

  /** Cuts, and lets nobody in until `up()`. */
  down(): void {
    this.#down = true;
    this.cut();
  }

  up(): void {
    this.#down = false;
  }

  /** Keeps what is sent either way until `resume()`; nobody is told. */
  stall(): void {
    this.#stalled = true;
    for (const { client, server } of this.#links) for (const end of [client, server]) end.pause();
  }

  resume(): void {
    this.#stalled = false;
    for (const { client, server } of this.#links) for (const end of [client, server]) end.resume();
  }

  /**
   * Loses the next request that changes something before the server has it, or the answer that says that the change was
   * made, and cuts that connection. Resolves when it has happened.
   */
  lose(part: 'request' | 'answer'): Promise<void> {
    return new Promise((happened) => (this.#loss = { part, happened }));
  }

  async close(): Promise<void> {
    this.#listener.close();
    this.cut();
    await once(this.#listener, 'close');
  }

  #accept(client: Socket): void {
    if (this.#down) return void client.destroy();
    const { host, port } = this.options;
    const link: Link = { client, server: connect({ host, port, noDelay: true }), losesAnswer: false };
    const relay = this.options.relay?.({ ...link, cut: () => this.#end(link) }) ?? this.#losing(link);
    this.#links.add(link);
    client.setNoDelay(true);
    client.on('data', (chunk) => relay.fromClient(chunk));
    link.server.on('data', (chunk) => relay.fromServer(chunk));
    for (const end of [client, link.server]) {
      if (this.#stalled) end.pause();
      end.on('error', () => this.#end(link));
      end.on('close', () => this.#end(link));
    }
  }

  /** Passes on everything, but for what `lose()` asked for. */
  #losing(link: Link): Relay {
    const read = (this.options.reader ?? (() => IGNORED))();
    return {
      fromClient: (chunk) => {
        if (!this.#losesRequest(link, read(chunk))) link.server.write(chunk);
      },
      fromServer: (chunk) => {
        if (link.losesAnswer) this.#lost(link);
        else link.client.write(chunk);
      },
    };
  }

  #losesRequest(link: Link, { writes, commits }: RequestKind): boolean {
    const part = this.#loss?.part;
    if (part === 'answer' && commits) link.losesAnswer = true;
    if (part !== 'request' || !writes) return false;
    this.#lost(link);
    return true;
  }

  #lost(link: Link): void {
    this.#end(link);
    this.#loss?.happened();
    this.#loss = null;
  }

  #end(link: Link): void {
    this.#links.delete(link);
    link.client.destroy();
    link.server.destroy();
  }
}
