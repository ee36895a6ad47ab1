import {
  type RequestReader,
  type AnswerReader,
  type RequestPurpose,
  TcpProxy,
} from '../../support/tcp-proxy.js';
import type { FaultProxy, Role } from '../target.js';

/** Where a server takes connections. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** How the bytes between a client and its server are to be read. */
export interface Protocol {
  readonly requests: () => RequestReader;
  readonly answers?: () => AnswerReader;
  /** Whether a settlement is answered. Where it is not, the settlement itself is what can be lost. */
  readonly answersSettlements: boolean;
}

/** What each role does over its wire that changes something. */
const PURPOSES: Readonly<Record<Role, RequestPurpose>> = { pusher: 'push', workers: 'settlement' };
const SLOW_BYTES_PER_SECOND = 100_000;
const SLOW_PIECE_BYTES = 512;

/** The wires of one role: one to each node of its server. */
export class FaultWire implements FaultProxy {
  private constructor(
    private readonly proxies: readonly TcpProxy[],
    private readonly role: Role,
    private readonly protocol: Protocol,
  ) {}

  static async open(nodes: readonly Address[], role: Role, protocol: Protocol): Promise<FaultWire> {
    const { requests: reader, answers } = protocol;
    const proxies = await Promise.all(
      nodes.map((node) => TcpProxy.open({ ...node, reader, ...(answers === undefined ? {} : { answers }) })),
    );
    return new FaultWire(proxies, role, protocol);
  }

  /** Where the role connects to, one for each node. */
  get addresses(): readonly Address[] {
    return this.proxies.map(({ port }) => ({ host: '127.0.0.1', port }));
  }

  cut(): void {
    for (const proxy of this.proxies) proxy.cut();
  }

  stall(): void {
    for (const proxy of this.proxies) proxy.stall();
  }

  halfOpen(): void {
    for (const proxy of this.proxies) proxy.halfOpen('close');
  }

  slow({ delayMs }: { readonly delayMs: number }): void {
    const pace = { delayMs, bytesPerSecond: SLOW_BYTES_PER_SECOND, pieceBytes: SLOW_PIECE_BYTES };
    for (const proxy of this.proxies) proxy.slow(pace);
  }

  async dropReply(): Promise<void> {
    const purpose = PURPOSES[this.role];
    const part = purpose === 'settlement' && !this.protocol.answersSettlements ? 'request' : 'answer';
    await Promise.race(this.proxies.map((proxy) => proxy.lose(part, { purpose })));
    for (const proxy of this.proxies) proxy.disarm();
  }

  heal(): void {
    for (const proxy of this.proxies) proxy.heal();
  }

  async close(): Promise<void> {
    await Promise.all(this.proxies.map((proxy) => proxy.close()));
  }
}
