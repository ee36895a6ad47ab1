import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** Listens where a server is expected, and keeps what it is told in the clear. */
export class Eavesdropper {
  readonly #heard: Buffer[] = [];
  readonly #sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  /** `greet` speaks first; `answer` answers each chunk, or not. */
  static async listen(
    options: {
      readonly greet?: Buffer;
      readonly answer?: (chunk: Buffer) => Buffer | string | null;
    } = {},
  ): Promise<Eavesdropper> {
    const eavesdropper: Eavesdropper = new Eavesdropper(
      createServer((socket) => {
        eavesdropper.#sockets.add(socket);
        socket.on('error', () => undefined);
        if (options.greet !== undefined) socket.write(options.greet);
        socket.on('data', (chunk) => {
          eavesdropper.#heard.push(chunk);
          const answer = options.answer?.(chunk) ?? null;
          if (answer !== null) socket.write(answer);
        });
      }),
    );
    eavesdropper.server.listen(0);
    await once(eavesdropper.server, 'listening');
    return eavesdropper;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Everything that was sent, by all connections. */
  get heard(): Buffer {
    return Buffer.concat(this.#heard);
  }

  async close(): Promise<void> {
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.server, 'close');
  }
}
