import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { type Pace, PacedWay } from './paced-way.js';

/** What is asked for: to store jobs, or to end or give back a delivery. */
export type RequestPurpose = 'push' | 'settlement';

/** What a chunk on its way to the server is to those who want to lose it. */
export interface RequestKind {
  /** It asks for a change. */
  readonly writes: boolean;
  /** Its answer says that a change was made for good. */
  readonly commits: boolean;
  /** What the change is for; null where the reader does not tell. */
  readonly purpose?: RequestPurpose | null;
}

/** Reads the requests of one connection, chunk by chunk. */
export type RequestReader = (chunk: Buffer) => RequestKind;

/** Whether a chunk from the server answers to a change. */
export type AnswerReader = (chunk: Buffer) => boolean;

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
  /** Makes a reader of answers for each connection. Without one, the chunk that follows a request answers it. */
  readonly answers?: () => AnswerReader;
  /** Makes a relay for each connection, which then passes on everything itself; `lose()` and `slow()` have no effect. */
  readonly relay?: (wire: Wire) => Relay;
}

export interface LossOptions {
  /** Only a request for that. */
  readonly purpose?: RequestPurpose;
  /** The connection stays, and carries requests but no answers from then on, until somebody gives it up. */
  readonly silently?: boolean;
}

interface Loss extends LossOptions {
  readonly part: 'request' | 'answer';
  readonly happened: () => void;
}

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  readonly toClient: PacedWay;
  readonly toServer: PacedWay;
  /** The next answer from the server is not passed on, if that loss has not happened elsewhere. */
  loss: Loss | null;
  /** Nothing from the server is passed on. */
  isMute: boolean;
  /** Nothing is passed on, and neither end hears of the other's. */
  isHalfOpen: boolean;
}

const IGNORED: RequestReader = () => ({ writes: false, commits: false });

/** A wire to a server that can be cut, and worse. It listens on a free port of this machine. */
export class TcpProxy {
  readonly #links = new Set<Link>();
  readonly #listener: Server;
  #loss: Loss | null = null;
  #pace: Pace | null = null;
  #stalled = false;
  #down = false;
  #mute = false;

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

  /** Connections that carry something either way. */
  get connections(): number {
    return [...this.#links].filter(({ isHalfOpen }) => !isHalfOpen).length;
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
   * From now on the connections that are there carry nothing, and their clients are not told; new ones work. The server's
   * ends close at once, as when it was started again behind a network that forgets, or stay until `heal()`.
   */
  halfOpen(serverEnds: 'close' | 'stay'): void {
    for (const link of this.#links) {
      link.isHalfOpen = true;
      for (const way of [link.toClient, link.toServer]) way.drop();
      if (serverEnds === 'close') link.server.destroy();
    }
  }

  /** Carries everything at that pace until `heal()`. */
  slow(pace: Pace): void {
    this.#pace = pace;
  }

  /** Requests reach the server, and no answer comes back until `heal()`. */
  dropAnswers(): void {
    this.#mute = true;
    for (const link of this.#links) link.isMute = true;
  }

  /** Ends every fault. A connection that bytes were kept from for good is cut. */
  heal(): void {
    this.#loss = null;
    this.#mute = false;
    this.#pace = null;
    this.up();
    this.resume();
    for (const link of this.#links) {
      if (link.isMute || link.isHalfOpen) this.#end(link);
      else for (const way of [link.toClient, link.toServer]) way.hurry();
    }
  }

  /**
   * Loses the next request that changes something before the server has it, or the answer that says that the change was
   * made, and cuts that connection. Resolves when it has happened.
   */
  lose(part: 'request' | 'answer', options: LossOptions = {}): Promise<void> {
    return new Promise((happened) => (this.#loss = { part, happened, ...options }));
  }

  /** Takes back what `lose()` asked for and has not happened. */
  disarm(): void {
    this.#loss = null;
  }

  async close(): Promise<void> {
    this.#listener.close();
    this.cut();
    await once(this.#listener, 'close');
  }

  #accept(client: Socket): void {
    if (this.#down) return void client.destroy();
    const { host, port } = this.options;
    const server = connect({ host, port, noDelay: true });
    const link: Link = {
      client,
      server,
      toClient: new PacedWay(client),
      toServer: new PacedWay(server),
      loss: null,
      isMute: this.#mute,
      isHalfOpen: false,
    };
    const relay = this.options.relay?.({ client, server, cut: () => this.#end(link) }) ?? this.#losing(link);
    this.#links.add(link);
    client.setNoDelay(true);
    client.on('data', (chunk) => link.isHalfOpen || relay.fromClient(chunk));
    server.on('data', (chunk) => link.isHalfOpen || link.isMute || relay.fromServer(chunk));
    for (const end of [client, server]) {
      if (this.#stalled) end.pause();
      end.on('error', () => this.#ended(link));
      end.on('close', () => this.#ended(link));
    }
  }

  /** Passes on everything, but for what `lose()` asked for. */
  #losing(link: Link): Relay {
    const read = (this.options.reader ?? (() => IGNORED))();
    const answers = this.options.answers?.() ?? (() => true);
    return {
      fromClient: (chunk) => {
        if (!this.#losesRequest(link, read(chunk))) link.toServer.carry(chunk, this.#pace);
      },
      fromServer: (chunk) => {
        const isAnswer = answers(chunk);
        const isLost = isAnswer && link.loss !== null && link.loss === this.#loss;
        if (isAnswer) link.loss = null;
        if (isLost) this.#lost(link);
        else link.toClient.carry(chunk, this.#pace);
      },
    };
  }

  #losesRequest(link: Link, { writes, commits, purpose = null }: RequestKind): boolean {
    const loss = this.#loss;
    if (loss === null || (loss.purpose !== undefined && loss.purpose !== purpose)) return false;
    if (loss.part === 'answer' && commits) link.loss = loss;
    if (loss.part !== 'request' || !writes) return false;
    this.#lost(link);
    return true;
  }

  #lost(link: Link): void {
    if (this.#loss?.silently === true) link.isMute = true;
    else this.#end(link);
    this.#loss?.happened();
    this.#loss = null;
  }

  /** The ends of a half-open connection hear nothing of each other. */
  #ended(link: Link): void {
    if (link.isHalfOpen && !(link.client.destroyed && link.server.destroyed)) return;
    this.#end(link);
  }

  #end(link: Link): void {
    this.#links.delete(link);
    for (const way of [link.toClient, link.toServer]) way.drop();
    link.client.destroy();
    link.server.destroy();
  }
}
