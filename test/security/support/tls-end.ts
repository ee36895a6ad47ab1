import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import type { Certificate } from './certificates.js';

export interface Place {
  readonly host: string;
  readonly port: number;
}

/** Speaks TLS with its clients and plain text with a server, as a load balancer would. */
export class TlsEnd {
  /** How many clients have taken its certificate and sent something. */
  served = 0;
  readonly #sockets = new Set<TLSSocket>();

  private constructor(private readonly server: Server) {}

  static async open({ cert, key }: Certificate, target: Place): Promise<TlsEnd> {
    const end: TlsEnd = new TlsEnd(
      createServer({ cert, key }, (client) => {
        end.#sockets.add(client);
        const behind = connect({ ...target });
        client.once('data', () => (end.served += 1));
        client.pipe(behind).pipe(client);
        for (const [one, other] of [
          [client, behind],
          [behind, client],
        ] as const) {
          one.on('error', () => other.destroy());
          one.on('close', () => other.destroy());
        }
      }),
    );
    end.server.on('tlsClientError', () => undefined);
    end.server.listen(0);
    await once(end.server, 'listening');
    return end;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.server, 'close');
  }
}
