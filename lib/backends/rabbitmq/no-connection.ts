import type { BrokerAddress } from './broker-address.js';

/** A host that was tried, and what the client library gave as the reason why there is no connection. */
export interface TriedHost {
  readonly address: BrokerAddress;
  readonly reason: unknown;
}

/** No host could be connected to. The cause is the reason of the last one. */
export class NoConnection extends Error {
  constructor(readonly tried: readonly TriedHost[]) {
    super('no connection to any host', { cause: tried.at(-1)?.reason });
  }
}

/** Host and port, as an address has them; user and password are never shown. */
export function hostAndPort({ protocol, hostname, port }: BrokerAddress): string {
  const host = hostname.includes(':') ? `[${hostname}]` : hostname;
  return `${host}:${port ?? (protocol === 'amqps' ? 5671 : 5672)}`;
}
