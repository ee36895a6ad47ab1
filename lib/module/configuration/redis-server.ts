import { type GivenRedis, inAddress, REDIS_OPTIONS } from './redis-options.js';
import { nameOf, readGiven, refuse } from './given-options.js';
import type { Environment } from './variables.js';

/** A server as `redis()` takes it; empty for the one on this machine. */
export interface EnvironmentRedis {
  readonly url?: string;
  readonly options?: Omit<GivenRedis, 'url' | 'tls'> & { readonly tls?: Record<string, never> };
}

/** The server that the environment describes for a connection. */
export function readRedis(environment: Environment, connection: string): EnvironmentRedis {
  const { url, ...parts } = readGiven(
    REDIS_OPTIONS,
    REDIS_OPTIONS.url,
    environment,
    connection,
  ) as GivenRedis;
  if (url !== undefined) return { url: completed(url, parts, connection) };
  const { tls = false, ...others } = parts;
  const options = { ...others, ...(tls ? { tls: {} } : {}) };
  return Object.keys(options).length === 0 ? {} : { options };
}

/** The address with the parts that were given beside it; to the client an address would go before its options. */
function completed(url: string, parts: Omit<GivenRedis, 'url'>, connection: string): string {
  if (Object.keys(parts).length === 0) return url;
  const { host, port, username, password, db, tls } = parts;
  const address = new URL(url);
  // Never unencrypted where the address says otherwise.
  if (tls === false && address.protocol === 'rediss:') {
    refuse(
      nameOf(REDIS_OPTIONS.tls, connection),
      `true, as ${nameOf(REDIS_OPTIONS.url, connection)} begins with rediss://`,
      'false',
    );
  }
  // An address without a host would take none of what follows.
  address.hostname = host === undefined ? address.hostname || 'localhost' : inAddress(host);
  if (port !== undefined) address.port = String(port);
  if (username !== undefined) address.username = encodeURIComponent(username);
  if (password !== undefined) address.password = encodeURIComponent(password);
  if (db !== undefined) address.pathname = `/${db}`;
  if (tls === true) address.protocol = 'rediss:';
  return address.href;
}
