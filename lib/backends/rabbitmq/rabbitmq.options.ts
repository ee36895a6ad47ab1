import type { ConnectionOptions as TlsOptions } from 'node:tls';
import { describe, QueueConfigurationException } from '../../contract/index.js';
import { type BrokerAddress, brokerAddresses } from './broker-address.js';
import { type TopologyOptions, topologySettings, type TopologySettings } from './topology/index.js';

/**
 * Where the broker is, what its queues are declared with, and how long to wait for it.
 *
 * @publicApi
 */
export interface RabbitMqOptions extends TopologyOptions {
  /**
   * `amqp://user:password@host:port/vhost`, or `amqps://` for TLS. Several hosts by comma, or a list: they are tried in
   * turn at each connect. Default `amqp://127.0.0.1:5672`.
   */
  readonly url?: string | readonly string[];
  /** Options of Node's TLS sockets beside `amqps://` only: `ca`, `cert`, `key`, `servername`. */
  readonly tls?: TlsOptions;
  /** Longest wait for a connection to one host, in milliseconds. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** Longest wait for the confirmation of a publish, or any other answer, in milliseconds. Default 5,000. */
  readonly confirmTimeoutMs?: number;
  /** A broker that is silent for about twice as long is taken for lost, and the other way round. Default 20. */
  readonly heartbeatSeconds?: number;
  /** What the broker shows this connection as. Default `kinetis <connection>`. */
  readonly connectionName?: string;
  /** `false` keeps no failed jobs: one that is given up on is removed. Default true. */
  readonly failedJobs?: boolean;
}

/** `RabbitMqOptions`, checked and complete. */
export interface RabbitMqSettings {
  readonly addresses: readonly BrokerAddress[];
  readonly tls: TlsOptions;
  readonly connectTimeoutMs: number;
  readonly confirmTimeoutMs: number;
  /** null: what the address says, or the default. */
  readonly heartbeatSeconds: number | null;
  /** null: named after the connection of the queue. */
  readonly connectionName: string | null;
  readonly failedJobs: boolean;
  readonly topology: TopologySettings;
}

export const DEFAULT_HEARTBEAT_SECONDS = 20;
const DEFAULT_URL = 'amqp://127.0.0.1:5672';
const DEFAULT_TIMEOUT_MS = 5_000;
/** Timers of Node take no longer time. */
const MAX_TIMEOUT_MS = 2_147_483_647;
/** The broker keeps it in two octets. */
const MAX_HEARTBEAT_SECONDS = 65_535;

function refuse(option: string, expected: string, came: string): never {
  throw new QueueConfigurationException(`rabbitmq(): ${option}: expected ${expected}, came ${came}.`);
}

function integer(option: string, value: unknown, min: number, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    refuse(option, `an integer from ${min} to ${max}`, describe(value));
  }
  return value;
}

function timeoutMs(option: string, value: unknown): number {
  return integer(option, value ?? DEFAULT_TIMEOUT_MS, 1, MAX_TIMEOUT_MS);
}

function addressesOf(url: unknown): readonly BrokerAddress[] {
  const texts: readonly unknown[] = Array.isArray(url) ? url : [url];
  const addresses = texts.map((text) => (typeof text === 'string' ? brokerAddresses(text) : null));
  if (addresses.length > 0 && addresses.every((list) => list !== null)) return addresses.flat();
  // Not shown: an address holds a password as often as not.
  return refuse(
    'url',
    'an address such as amqp://host:5672/vhost, several hosts by comma, or a list of addresses, with / ? # % in user and ' +
      'password percent-encoded',
    'something else',
  );
}

function connectionNameOf(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === 'string' && value !== '' && value.length <= 200) return value;
  return refuse('connectionName', 'a text of 1 to 200 characters', describe(value));
}

/** Throws `QueueConfigurationException` for an option that cannot be used. */
export function rabbitMqSettings(options: RabbitMqOptions): RabbitMqSettings {
  const { tls = {}, heartbeatSeconds, failedJobs = true } = options;
  if (typeof tls !== 'object' || tls === null) refuse('tls', 'options of a TLS socket', describe(tls));
  if (typeof failedJobs !== 'boolean') refuse('failedJobs', 'true or false', describe(failedJobs));
  const addresses = addressesOf(options.url ?? DEFAULT_URL);
  // Who gives a certificate authority means TLS; the library would pass over it, and send the password in the clear.
  if (Object.keys(tls).length > 0 && addresses.some(({ protocol }) => protocol === 'amqp')) {
    refuse('tls', 'addresses that begin with amqps:// beside it', 'one that begins with amqp://');
  }
  return {
    addresses,
    tls,
    connectTimeoutMs: timeoutMs('connectTimeoutMs', options.connectTimeoutMs),
    confirmTimeoutMs: timeoutMs('confirmTimeoutMs', options.confirmTimeoutMs),
    heartbeatSeconds:
      heartbeatSeconds === undefined
        ? null
        : integer('heartbeatSeconds', heartbeatSeconds, 1, MAX_HEARTBEAT_SECONDS),
    connectionName: connectionNameOf(options.connectionName),
    failedJobs,
    topology: topologySettings(options),
  };
}
