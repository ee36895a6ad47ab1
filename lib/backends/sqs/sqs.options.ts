import type { SQSClient, SQSClientConfig } from '@aws-sdk/client-sqs';
import { describe, QueueConfigurationException } from '../../contract/index.js';
import { BATCH_BYTES, MAX_VISIBILITY_SECONDS } from './service-limits.js';

/**
 * Where the queues are, and for how long a worker may hold a job. What is left out of `region` and `credentials` the SDK
 * finds by itself: environment, shared files, the role of the machine.
 *
 * @publicApi
 */
export interface SqsOptions {
  readonly region?: string;
  /** Another address than the region's own: a VPC endpoint, an emulator. */
  readonly endpoint?: string;
  readonly credentials?: SQSClientConfig['credentials'];
  /** A client of the application, instead of the three above. It is used as it is and not closed. */
  readonly client?: SQSClient;
  /** The account that owns the queues, 12 digits, where that is not the one of the credentials. */
  readonly accountId?: string;
  /** What the name of every queue on SQS begins with. One for each application and environment. Default: nothing. */
  readonly queuePrefix?: string;
  /**
   * The queue, named as a job names one, that gets a copy of each job which is given up on, before that is deleted.
   * Default: none; it is deleted.
   */
  readonly deadLetterQueue?: string;
  /**
   * Visibility timeout in whole seconds, at most 43,200: how long a delivery is a worker's alone, as far as SQS promises
   * that. It is asked for at each receive, whatever the queue's own is. A job may name its own. Default 90.
   */
  readonly leaseSeconds?: number;
  /** Longest wait of one receive for work, in whole seconds from 1 to 5; a stop waits for it. Default 5. */
  readonly waitTimeSeconds?: number;
  /** Longest message, attributes included, and longest batch, in bytes. Default 1,048,576, as SQS has it since 2025. */
  readonly maxMessageBytes?: number;
  /** Longest wait for an answer, beside the wait for work, in milliseconds. Default 10,000. */
  readonly requestTimeoutMs?: number;
}

/** `SqsOptions`, checked and complete. */
export interface SqsSettings {
  /** null: one is made of `clientConfig`. */
  readonly client: SQSClient | null;
  readonly clientConfig: SQSClientConfig;
  readonly accountId: string | null;
  readonly queuePrefix: string;
  readonly deadLetterQueue: string | null;
  readonly leaseSeconds: number;
  readonly waitTimeSeconds: number;
  readonly maxMessageBytes: number;
  readonly requestTimeoutMs: number;
}

const DEFAULT_LEASE_SECONDS = 90;
const MAX_WAIT_TIME_SECONDS = 5;
const DEFAULT_REQUEST_TIMEOUT_MS = 10_000;

/** A prefix leaves room for a name of one character at least. */
const PREFIX = /^[\w-]{0,79}$/;
const NAME = /^[\w-]{1,80}$/;
const ACCOUNT = /^\d{12}$/;
const ADDRESS = /^https?:\/\//;

function refuse(option: string, expected: string, came: string): never {
  throw new QueueConfigurationException(`sqs(): ${option}: expected ${expected}, came ${came}.`);
}

function wholeNumber(option: string, value: unknown, most: number): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1 || (value as number) > most) {
    refuse(option, `a whole number from 1 to ${most}`, describe(value));
  }
  return value as number;
}

function matching(option: string, value: unknown, pattern: RegExp, expected: string): string {
  if (typeof value === 'string' && value.endsWith('.fifo')) {
    refuse(option, 'a standard queue', 'the name of a FIFO queue, which has no delays of a job');
  }
  if (typeof value !== 'string' || !pattern.test(value)) refuse(option, expected, describe(value));
  return value;
}

function clientConfigOf({ region, endpoint, credentials }: SqsOptions): SQSClientConfig {
  if (region !== undefined && (typeof region !== 'string' || region === '')) {
    refuse('region', 'a region such as eu-central-1', describe(region));
  }
  // Not shown: an address may hold a password.
  if (
    endpoint !== undefined &&
    (typeof endpoint !== 'string' || !ADDRESS.test(endpoint) || !URL.canParse(endpoint))
  ) {
    refuse('endpoint', 'an address such as https://sqs.eu-central-1.amazonaws.com', 'something else');
  }
  const given = typeof credentials === 'object' || typeof credentials === 'function';
  if (credentials !== undefined && (!given || credentials === null)) {
    refuse('credentials', 'credentials or a provider of the SDK', 'something else');
  }
  return {
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
  };
}

function clientOf(options: SqsOptions): SQSClient | null {
  const { client, region, endpoint, credentials } = options;
  if (client === undefined) return null;
  if (typeof client?.send !== 'function') refuse('client', 'an SQSClient of the SDK', describe(client));
  if ([region, endpoint, credentials].some((option) => option !== undefined)) {
    refuse('client', 'no region, endpoint or credentials beside it, for it has its own', 'some');
  }
  return client;
}

function deadLetterQueueOf({ deadLetterQueue }: SqsOptions, prefix: string): string | null {
  if (deadLetterQueue === undefined) return null;
  const expected = '1 to 80 of the characters A-Z a-z 0-9 _ -, the prefix counted';
  matching('deadLetterQueue', deadLetterQueue, NAME, expected);
  if ((prefix + deadLetterQueue).length > 80) refuse('deadLetterQueue', expected, 'a longer name');
  return deadLetterQueue;
}

/** Throws `QueueConfigurationException` for an option that cannot be used. */
export function sqsSettings(options: SqsOptions): SqsSettings {
  const { accountId, queuePrefix = '' } = options;
  const prefixed = '0 to 79 of the characters A-Z a-z 0-9 _ -';
  matching('queuePrefix', queuePrefix, PREFIX, prefixed);
  if (accountId !== undefined) matching('accountId', accountId, ACCOUNT, '12 digits');
  return {
    client: clientOf(options),
    clientConfig: clientConfigOf(options),
    accountId: accountId ?? null,
    queuePrefix,
    deadLetterQueue: deadLetterQueueOf(options, queuePrefix),
    leaseSeconds: wholeNumber(
      'leaseSeconds',
      options.leaseSeconds ?? DEFAULT_LEASE_SECONDS,
      MAX_VISIBILITY_SECONDS,
    ),
    waitTimeSeconds: wholeNumber(
      'waitTimeSeconds',
      options.waitTimeSeconds ?? MAX_WAIT_TIME_SECONDS,
      MAX_WAIT_TIME_SECONDS,
    ),
    maxMessageBytes: wholeNumber(
      'maxMessageBytes',
      options.maxMessageBytes ?? BATCH_BYTES,
      Number.MAX_SAFE_INTEGER,
    ),
    requestTimeoutMs: wholeNumber(
      'requestTimeoutMs',
      options.requestTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MS,
      2 ** 31 - 1 - MAX_WAIT_TIME_SECONDS * 1_000,
    ),
  };
}
