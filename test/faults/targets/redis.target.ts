import { redis, type RedisOptions } from '../../../lib/redis.js';
import { PrivateRedis } from '../../support/private-redis.js';
import { redisAnswers, redisRequests } from '../../support/redis-requests.js';
import { deleteKeys, plainClient, redisTestUrl } from '../../support/redis-servers.js';
import type { TargetKind } from '../target.js';
import { FENCED_LEASES } from './delivery-rules.js';
import { faultEnvironment } from './fault-environment.js';
import { type Address, type Protocol } from './fault-wire.js';
import { serverFaults } from './server-faults.js';
import { storedTarget } from './stored-target.js';
import { newTestName } from './test-name.js';
import { onlyAddress, openWays } from './ways.js';

export const REDIS_PROTOCOL: Protocol = {
  requests: redisRequests,
  answers: redisAnswers,
  answersSettlements: true,
};
/** What is answered is on disk. */
export const DURABLE = ['--appendonly', 'yes', '--appendfsync', 'always'];
/** A silent server is given up on soon, so that a trial ends in seconds. */
export const COMMAND_TIMEOUT_MS = 1_500;

export const redisTarget: TargetKind = {
  name: 'redis',
  rules: FENCED_LEASES,
  async open({ needs, leaseSeconds }) {
    const server = needs.server ? await PrivateRedis.start(DURABLE) : null;
    const url = server === null ? redisTestUrl() : new URL(server.url);
    const prefix = newTestName();
    const optionsAt = ({ host, port }: Address): RedisOptions => ({
      url: Object.assign(new URL(url), { hostname: host, port: String(port) }).href,
      prefix,
      leaseSeconds,
      ...(needs.server || needs.proxy ? { commandTimeoutMs: COMMAND_TIMEOUT_MS } : {}),
    });
    const address = { host: url.hostname, port: Number(url.port) || 6_379 };
    const ways = await openWays([address], REDIS_PROTOCOL, needs.proxy);
    return storedTarget({
      kind: redisTarget,
      leaseSeconds,
      environment: (role) =>
        faultEnvironment({ driver: 'redis', options: optionsAt(onlyAddress(ways.addresses[role])) }),
      direct: redis(optionsAt(address)),
      server: server === null ? null : serverFaults(server),
      proxies: ways.proxies,
      async remove() {
        await ways.close();
        if (server === null) await deleteAll(url, prefix);
        else await server.remove();
      },
    });
  },
};

async function deleteAll(url: URL, prefix: string): Promise<void> {
  const client = plainClient(url);
  await deleteKeys(client, prefix);
  client.disconnect();
}
