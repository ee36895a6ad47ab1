import type { Cluster, ClusterOptions, Redis, RedisOptions as ClientOptions } from 'ioredis';
import type { IoRedis } from './import-ioredis.js';
import type { RedisSettings } from './redis.options.js';

/** What the wire needs of a client, whether it speaks to one node or to a cluster. */
export type RedisClient = Redis | Cluster;

const LONGEST_PAUSE_MS = 1_000;

function retryDelayMs(attempt: number): number {
  return Math.min(LONGEST_PAUSE_MS, 25 * 2 ** Math.min(attempt, 10));
}

/** A command that was sent and not answered fails at once: sent again it could be applied twice. */
function sendingOnce(commandTimeoutMs: number) {
  return {
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // A master that became a replica keeps its connections, and would refuse every write for ever.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
    // Hints subscribes anew by itself: ioredis leaves its failure to nobody.
    autoResubscribe: false,
    maxLoadingRetryTime: LONGEST_PAUSE_MS,
    // Such a connection is half open: its commands would fail by their own timeout, one after the other.
    socketTimeout: commandTimeoutMs,
    connectTimeout: commandTimeoutMs,
    enableOfflineQueue: true,
    enableAutoPipelining: false,
    readOnly: false,
    keyPrefix: '',
    // Its name and version are no business of a server that a user with few rights speaks to.
    disableClientInfo: true,
    replyMapping: 'legacy',
    stringNumbers: false,
  } as const satisfies ClientOptions;
}

/**
 * Through Sentinel ioredis passes over `tls` unless one more option is given, and would speak to the master in the clear. The
 * sentinels themselves have `sentinelTLS`.
 */
function encryptedBehindSentinel({ sentinels, tls }: ClientOptions, url = '') {
  const asked = sentinels !== undefined && (tls !== undefined || url.startsWith('rediss:'));
  return asked ? { enableTLSForSentinelMode: true } : {};
}

function clusterOptions(options: ClusterOptions, commandTimeoutMs: number) {
  return {
    clusterRetryStrategy: retryDelayMs,
    ...options,
    lazyConnect: true,
    scaleReads: 'master',
    enableOfflineQueue: true,
    enableAutoPipelining: false,
    // A redirection says that nothing was applied; a lost connection does not.
    retryDelayOnFailover: 0,
    keyPrefix: '',
    redisOptions: { ...options.redisOptions, ...sendingOnce(commandTimeoutMs) },
  } as const satisfies ClusterOptions;
}

/**
 * ioredis sends ASKING before a command to a slot that moves, and leaves its failure to nobody: a right that is missing, or
 * a lost connection, would end the process. The command's own answer says as much.
 */
function withoutLooseEnds(cluster: Cluster): Cluster {
  cluster.on('+node', (node: Redis) => {
    const asking = node.asking.bind(node);
    node.asking = () => asking().catch(() => 'OK');
  });
  return cluster;
}

/** A client that connects at first use. */
export function openClient(
  { Redis: RedisClass, Cluster: ClusterClass }: IoRedis,
  { source, commandTimeoutMs }: Pick<RedisSettings, 'source' | 'commandTimeoutMs'>,
): RedisClient {
  const own = { lazyConnect: true, ...sendingOnce(commandTimeoutMs) };
  switch (source.kind) {
    case 'url':
      return new RedisClass(source.url, {
        retryStrategy: retryDelayMs,
        ...encryptedBehindSentinel(source.options, source.url),
        ...source.options,
        ...own,
      });
    case 'options':
      return new RedisClass({
        retryStrategy: retryDelayMs,
        ...encryptedBehindSentinel(source.options),
        ...source.options,
        ...own,
      });
    case 'cluster':
      return withoutLooseEnds(
        new ClusterClass([...source.nodes], clusterOptions(source.options, commandTimeoutMs)),
      );
    case 'client': {
      const { client } = source;
      if (!client.isCluster) return (client as Redis).duplicate({ ...own, retryStrategy: retryDelayMs });
      const cluster = client as Cluster;
      return withoutLooseEnds(cluster.duplicate([], clusterOptions(cluster.options, commandTimeoutMs)));
    }
  }
}
