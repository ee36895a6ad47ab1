import type { Cluster, ClusterNode, ClusterOptions, Redis, RedisOptions as ClientOptions } from 'ioredis';
import {
  describe,
  type FailedJobsOption,
  failedJobsRetention,
  type FailedJobsRetention,
  QueueConfigurationException,
} from '../../contract/index.js';

/** A Redis Cluster: some of its nodes, and options of ioredis. */
export interface RedisClusterOptions {
  /**
   * Addresses (`redis://host:port`, `rediss://` for TLS to all nodes) or `{ host, port }` of nodes; the others are found
   * through them.
   */
  readonly nodes: readonly ClusterNode[];
  /** Options of ioredis' `Cluster`; `redisOptions` holds the password, the user and TLS. */
  readonly options?: ClusterOptions;
}

/**
 * Where the jobs are kept, and for how long a worker may hold one. At most one of `url`, `cluster` and `client`; with
 * none of them, and no address in `options`, the server on this machine.
 *
 * @publicApi
 */
export interface RedisOptions {
  /** `redis://[user:password@]host:port/database`, or `rediss://` for TLS. */
  readonly url?: string;
  /** Options of ioredis, beside or instead of `url`: `tls`, `username`, `sentinels` and `name`. */
  readonly options?: ClientOptions;
  readonly cluster?: RedisClusterOptions;
  /**
   * An ioredis client of the application. The queue connects as that one does, over connections of its own which send
   * nothing twice; the client itself is left alone and not closed.
   */
  readonly client?: Redis | Cluster;
  /** What every key begins with. One for each application and environment. Default `kinetis_queue`. */
  readonly prefix?: string;
  /** Visibility timeout in seconds: how long a delivery is a worker's alone. A job may name its own. Default 90. */
  readonly leaseSeconds?: number;
  /** How long failed jobs are kept; `false` keeps none. Default: 30 days and 10,000 of a queue. */
  readonly failedJobs?: FailedJobsOption;
  /** Longest wait for an answer, the wait for a connection counted, in milliseconds. Default 5,000. */
  readonly commandTimeoutMs?: number;
}

/** Where a client comes from. */
export type RedisSource =
  | { readonly kind: 'url'; readonly url: string; readonly options: ClientOptions }
  | { readonly kind: 'options'; readonly options: ClientOptions }
  | { readonly kind: 'cluster'; readonly nodes: readonly ClusterNode[]; readonly options: ClusterOptions }
  | { readonly kind: 'client'; readonly client: Redis | Cluster };

/** `RedisOptions`, checked and complete. */
export interface RedisSettings {
  readonly source: RedisSource;
  readonly prefix: string;
  readonly leaseSeconds: number;
  /** null where none are kept. */
  readonly failedJobs: FailedJobsRetention | null;
  readonly commandTimeoutMs: number;
}

const DEFAULT_PREFIX = 'kinetis_queue';
const DEFAULT_LEASE_SECONDS = 90;
const DEFAULT_COMMAND_TIMEOUT_MS = 5_000;
/** A timer that is set to more rings at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Braces would move the queue's own hash tag, and with it the keys of one queue onto several nodes. */
const PREFIX = /^[\w:.-]{1,100}$/;
const ADDRESS = /^rediss?:\/\//;

function refuse(option: string, expected: string, came: string): never {
  throw new QueueConfigurationException(`redis(): ${option}: expected ${expected}, came ${came}.`);
}

function positive(option: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) {
    refuse(option, 'a positive finite number', describe(value));
  }
  return value;
}

function timeout(option: string, value: unknown): number {
  const timeoutMs = positive(option, value);
  if (timeoutMs > LONGEST_TIMER_MS) refuse(option, `at most ${LONGEST_TIMER_MS}`, String(timeoutMs));
  return timeoutMs;
}

function assertObject(option: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) refuse(option, 'options of ioredis', describe(value));
}

function sourceOf({ url, options, cluster, client }: RedisOptions): RedisSource {
  const given = [url, cluster, client].filter((option) => option !== undefined).length;
  if (given > 1) refuse('url, cluster, client', 'at most one of them', String(given));
  if (options !== undefined) {
    assertObject('options', options);
    if (cluster !== undefined || client !== undefined) {
      refuse('options', 'none beside `cluster` or `client`, which have their own', 'some');
    }
  }
  if (client !== undefined) {
    if (typeof client?.duplicate !== 'function') refuse('client', 'a client of ioredis', describe(client));
    return { kind: 'client', client };
  }
  if (cluster !== undefined) {
    const nodes: unknown = cluster?.nodes;
    if (!Array.isArray(nodes) || nodes.length === 0) {
      refuse('cluster.nodes', 'a list of one node or more', describe(nodes));
    }
    if (cluster.options !== undefined) assertObject('cluster.options', cluster.options);
    return clusterSource(cluster.nodes, cluster.options ?? {});
  }
  if (url === undefined) return { kind: 'options', options: options ?? {} };
  // Not shown: an address holds a password as often as not.
  if (typeof url !== 'string' || !ADDRESS.test(url) || !URL.canParse(url)) {
    refuse('url', 'an address such as redis://host:6379', 'something else');
  }
  return { kind: 'url', url, options: options ?? {} };
}

/** ioredis passes over the scheme of a node's address, and would send the password to rediss:// in the clear. */
function clusterSource(nodes: readonly ClusterNode[], options: ClusterOptions): RedisSource {
  const addresses = nodes.filter((node) => typeof node === 'string');
  if (!addresses.every((address) => ADDRESS.test(address) && URL.canParse(address))) {
    refuse('cluster.nodes', 'addresses such as redis://host:6379, or { host, port }', 'something else');
  }
  const encrypted = addresses.filter((address) => address.startsWith('rediss:')).length;
  if (encrypted === 0) return { kind: 'cluster', nodes, options };
  if (encrypted < nodes.length) {
    refuse('cluster.nodes', 'rediss:// at all nodes or at none', `${encrypted} of ${nodes.length}`);
  }
  const redisOptions = { ...options.redisOptions, tls: options.redisOptions?.tls ?? {} };
  return { kind: 'cluster', nodes, options: { ...options, redisOptions } };
}

/** Throws `QueueConfigurationException` for an option that cannot be used. */
export function redisSettings(options: RedisOptions): RedisSettings {
  const prefix = options.prefix ?? DEFAULT_PREFIX;
  if (typeof prefix !== 'string' || !PREFIX.test(prefix)) {
    refuse('prefix', '1 to 100 letters, digits and _ : . -', describe(prefix));
  }
  return {
    source: sourceOf(options),
    prefix,
    leaseSeconds: positive('leaseSeconds', options.leaseSeconds ?? DEFAULT_LEASE_SECONDS),
    failedJobs: failedJobsRetention(options.failedJobs, 'redis()'),
    commandTimeoutMs: timeout('commandTimeoutMs', options.commandTimeoutMs ?? DEFAULT_COMMAND_TIMEOUT_MS),
  };
}
