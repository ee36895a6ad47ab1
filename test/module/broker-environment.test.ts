import { describe, expect, test } from 'vitest';
import { QueueConfigurationException } from '../../lib/index.js';
import { environmentFactories } from '../../lib/module/environment-connections.js';
import { readConnection } from '../../lib/module/configuration/environment.js';
import { testBackendContext } from '../../lib/testing.js';
import { inspectEnvironment } from '../../lib/module/configuration/inspect-environment.js';

type Variables = Record<string, string>;

describe('a broker that the environment describes', () => {
  const read = (variables: Variables, connection = 'default') =>
    readConnection({ QUEUE_CONNECTION: 'rabbitmq', QUEUE_B_CONNECTION: 'rabbitmq', ...variables }, connection)
      .rabbitmq;

  test.each<[string, Variables, unknown]>([
    ['this machine, where nothing is said', { QUEUE_RABBITMQ_URL: '' }, {}],
    [
      'an address as it is',
      { QUEUE_RABBITMQ_URL: 'amqps://u:p@h/v?heartbeat=5' },
      { url: 'amqps://u:p@h/v?heartbeat=5' },
    ],
    [
      'hosts that share the rest',
      { QUEUE_RABBITMQ_URL: 'amqp://u:p@a,b:5673/v' },
      { url: 'amqp://u:p@a,b:5673/v' },
    ],
    ['addresses', { QUEUE_RABBITMQ_URL: 'amqp://a,amqp://b' }, { url: 'amqp://a,amqp://b' }],
    ['the prefix that serves all drivers', { QUEUE_PREFIX: 'shop_' }, { queuePrefix: 'shop_' }],
    ['its own prefix', { QUEUE_PREFIX: 'shop_', QUEUE_RABBITMQ_QUEUE_PREFIX: 'x-' }, { queuePrefix: 'x-' }],
    [
      'how its queues are declared',
      {
        QUEUE_RABBITMQ_QUEUE_TYPE: 'classic',
        QUEUE_RABBITMQ_DELAYS: 'hold',
        QUEUE_RABBITMQ_MAX_PRIORITY: '0',
        QUEUE_RABBITMQ_MESSAGE_TTL: '60000',
      },
      { queueType: 'classic', delays: 'hold', maxPriority: 0, messageTtl: 60_000 },
    ],
  ])('%s', (_, variables, expected) => expect(read(variables)).toEqual(expected));

  test('another connection reads its own variables, and takes the prefix that serves all', () => {
    const variables = {
      QUEUE_RABBITMQ_URL: 'amqp://a',
      QUEUE_RABBITMQ_B_URL: 'amqp://b',
      QUEUE_RABBITMQ_QUEUE_PREFIX: 'x-',
      QUEUE_PREFIX: 'shop_',
    };
    expect(read(variables, 'b')).toEqual({ url: 'amqp://b', queuePrefix: 'shop_' });
  });

  test.each<[string, Variables, RegExp]>([
    [
      'an address of something else',
      { QUEUE_RABBITMQ_URL: 'http://u:secret@h' },
      /^QUEUE_RABBITMQ_URL: .*came something else/,
    ],
    [
      'a password with a bare comma',
      { QUEUE_RABBITMQ_URL: 'amqp://u:sec,ret@h' },
      /^QUEUE_RABBITMQ_URL: .*came something else/,
    ],
    [
      'an address for a prefix',
      { QUEUE_RABBITMQ_QUEUE_PREFIX: 'amqp://u:secret@h' },
      /belongs into QUEUE_RABBITMQ_URL/,
    ],
    [
      'a prefix with a dot',
      { QUEUE_RABBITMQ_QUEUE_PREFIX: 'a.b' },
      /QUEUE_RABBITMQ_QUEUE_PREFIX: expected up to 80 .*came "a\.b"/,
    ],
    ['another type', { QUEUE_RABBITMQ_QUEUE_TYPE: 'stream' }, /expected classic or quorum, came "stream"/],
    [
      'too few levels',
      { QUEUE_RABBITMQ_MAX_PRIORITY: '2' },
      /expected 0 \(none\) or an integer from 3 to 255, came "2"/,
    ],
    ['no time at all', { QUEUE_RABBITMQ_MESSAGE_TTL: '0' }, /expected an integer of milliseconds from 1/],
  ])('refuses %s, and shows no secret', (_, variables, message) => {
    expect(() => read(variables)).toThrow(QueueConfigurationException);
    expect(() => read(variables)).toThrow(message);
    expect(() => read(variables)).not.toThrow(/secret|sec,ret/);
  });
});

describe('queues of SQS that the environment describes', () => {
  const read = (variables: Variables) =>
    readConnection({ QUEUE_CONNECTION: 'sqs', ...variables }, 'default').sqs;

  test.each<[string, Variables, unknown]>([
    ["the SDK's own, where nothing is said", {}, {}],
    [
      'all that there is',
      {
        QUEUE_SQS_ENDPOINT: 'http://localhost:4566',
        QUEUE_SQS_REGION: 'eu-central-1',
        QUEUE_SQS_ACCOUNT_ID: '012345678901',
        QUEUE_SQS_QUEUE_PREFIX: 'shop-',
        QUEUE_SQS_DEAD_LETTER_QUEUE: 'dead',
        QUEUE_SQS_MAX_MESSAGE_BYTES: '262144',
      },
      {
        endpoint: 'http://localhost:4566',
        region: 'eu-central-1',
        accountId: '012345678901',
        queuePrefix: 'shop-',
        deadLetterQueue: 'dead',
        maxMessageBytes: 262_144,
      },
    ],
  ])('%s', (_, variables, expected) => expect(read(variables)).toEqual(expected));

  test.each<[string, Variables, RegExp]>([
    [
      'an endpoint that is no address',
      { QUEUE_SQS_ENDPOINT: 'localhost:4566' },
      /^QUEUE_SQS_ENDPOINT: expected an address/,
    ],
    ['an address for a region', { QUEUE_SQS_REGION: 'https://sqs.eu' }, /belongs into QUEUE_SQS_ENDPOINT/],
    [
      'a lease that SQS cannot keep',
      { QUEUE_VISIBILITY_TIMEOUT_SECONDS: '7.5' },
      /^QUEUE_VISIBILITY_TIMEOUT_SECONDS: expected whole seconds with sqs, came 7\.5/,
    ],
    [
      'an account with dashes',
      { QUEUE_SQS_ACCOUNT_ID: '0123-4567-8901' },
      /expected the 12 digits of an account/,
    ],
  ])('refuses %s', (_, variables, message) => expect(() => read(variables)).toThrow(message));
});

test('variables of a broker that no connection has are the application’s affair', () => {
  const environment = { QUEUE_CONNECTION: 'memory', QUEUE_RABBITMQ_URL: 'amqp://h', QUEUE_SQS_REGION: 'eu' };
  expect(inspectEnvironment(environment, ['default'])).toEqual({
    used: ['QUEUE_CONNECTION'],
    warnings: [],
    ignored: [],
  });
});

describe('connections of the environment', () => {
  test.each([
    ['rabbitmq', { QUEUE_CONNECTION: 'rabbitmq', QUEUE_RABBITMQ_URL: 'amqp://127.0.0.1' }, 4_194_303],
    ['sqs', { QUEUE_CONNECTION: 'sqs', QUEUE_SQS_REGION: 'eu-central-1', QUEUE_PREFIX: 'shop_' }, 900],
  ])(
    '%s is a backend of its own, and nothing is contacted before it is used',
    async (driver, variables, longest) => {
      const { default: factory } = environmentFactories(variables);
      const backend = await factory?.(testBackendContext());
      expect([backend?.driver, backend?.capabilities.maxPushDelaySeconds]).toEqual([driver, longest]);
      await backend?.close();
    },
  );
});
