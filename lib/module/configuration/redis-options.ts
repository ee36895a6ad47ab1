import * as v from 'valibot';
import { option, parseBoolean, parseNumber } from './option.js';

const text = v.pipe(v.string(), v.minLength(1));

/**
 * What the environment says of the server of a connection with the driver `redis`. A connection "ledger" reads the
 * variables with LEDGER in them.
 */
export const REDIS_OPTIONS = {
  url: option({
    variable: 'REDIS_URL',
    variableOfConnection: 'REDIS_<NAME>_URL',
    takes: 'address',
    summary: 'A server. Each variable below goes before the part of the address that it names.',
    expected:
      'an address that begins with redis:// or rediss://, such as redis://user:password@host:6379/0, with % only ' +
      'before two hex digits',
    otherwise: 'none',
    secret: true,
    schema: v.pipe(v.string(), v.check(isAddress)),
  }),
  host: option({
    variable: 'REDIS_HOST',
    variableOfConnection: 'REDIS_<NAME>_HOST',
    takes: 'host',
    summary: 'The server.',
    expected: 'the name of a host, or an IP address, without a port',
    otherwise: 'this machine',
    schema: v.pipe(v.string(), v.check(isHost)),
  }),
  port: option({
    variable: 'REDIS_PORT',
    variableOfConnection: 'REDIS_<NAME>_PORT',
    takes: 'port',
    summary: 'The port of the server.',
    expected: 'a port from 1 to 65535',
    otherwise: '6379',
    parse: parseNumber,
    schema: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
  }),
  username: option({
    variable: 'REDIS_USERNAME',
    variableOfConnection: 'REDIS_<NAME>_USERNAME',
    takes: 'name',
    summary: 'The user of the server; docs/redis.md lists what it has to be granted.',
    expected: 'the name of a user',
    otherwise: "the server's default user",
    schema: text,
  }),
  password: option({
    variable: 'REDIS_PASSWORD',
    variableOfConnection: 'REDIS_<NAME>_PASSWORD',
    takes: 'password',
    summary: "The user's password. Shown nowhere.",
    expected: 'a password',
    otherwise: 'none',
    secret: true,
    schema: text,
  }),
  db: option({
    variable: 'REDIS_DB',
    variableOfConnection: 'REDIS_<NAME>_DB',
    takes: 'number',
    summary: 'The number of the database.',
    expected: 'an integer of 0 or more',
    otherwise: '0',
    parse: parseNumber,
    schema: v.pipe(v.number(), v.integer(), v.minValue(0)),
  }),
  tls: option({
    variable: 'REDIS_TLS',
    variableOfConnection: 'REDIS_<NAME>_TLS',
    takes: 'true or false',
    summary: "An encrypted connection, the server's certificate checked against those that Node.js trusts.",
    expected: 'true or false',
    otherwise: 'true where the address begins with rediss://, else false',
    parse: parseBoolean,
    schema: v.boolean(),
  }),
} as const;

export type RedisOptionKey = keyof typeof REDIS_OPTIONS;

/** What was given of a server, each value checked by itself. */
export type GivenRedis = {
  readonly [K in RedisOptionKey]?: v.InferOutput<(typeof REDIS_OPTIONS)[K]['schema']>;
};

function isAddress(address: string): boolean {
  // Capitals would pass for no TLS in the client.
  if (!/^rediss?:\/\//.test(address) || !URL.canParse(address)) return false;
  const { username, password, pathname } = new URL(address);
  return /^(\/\d*)?$/.test(pathname) && [username, password].every(isDecodable);
}

/** The client decodes both parts, and would throw later, over a lone %. */
function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/** What can stand between the slashes and the port of an address. */
function isHost(host: string): boolean {
  return /^[^\s/?#@[\]\\]+$/.test(host) && URL.canParse(`redis://${inAddress(host)}`);
}

/** A host as an address writes it: an IPv6 address in brackets. */
export function inAddress(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
