import type { FaultProxy, Role } from '../target.js';
import { type Address, FaultWire, type Protocol } from './fault-wire.js';

/** How the processes of each role reach the nodes of a server. */
export interface Ways {
  readonly addresses: Readonly<Record<Role, readonly Address[]>>;
  /** null where they connect without a proxy. */
  readonly proxies: Readonly<Record<Role, FaultProxy>> | null;
  close(): Promise<void>;
}

/** With proxies each role has wires of its own. */
export async function openWays(
  nodes: readonly Address[],
  protocol: Protocol,
  hasProxies: boolean,
): Promise<Ways> {
  if (!hasProxies) {
    return { addresses: { pusher: nodes, workers: nodes }, proxies: null, close: async () => undefined };
  }
  const [pusher, workers] = await Promise.all([
    FaultWire.open(nodes, 'pusher', protocol),
    FaultWire.open(nodes, 'workers', protocol),
  ]);
  return {
    addresses: { pusher: pusher.addresses, workers: workers.addresses },
    proxies: { pusher, workers },
    async close() {
      await Promise.all([pusher.close(), workers.close()]);
    },
  };
}

/** The only address of a server that is one node. */
export function onlyAddress([address]: readonly Address[]): Address {
  if (address === undefined) throw new Error('Expected the address of a server, came none.');
  return address;
}
