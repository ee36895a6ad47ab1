import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { getQueueToken, KinetisQueueModule, Queue, QueueConfigurationException } from '../../lib/index.js';
import {
  readConnection,
  readConnectionNames,
  readWorkerEnvironment,
} from '../../lib/module/configuration/environment.js';
import { inspectEnvironment } from '../../lib/module/configuration/inspect-environment.js';

afterEach(() => vi.unstubAllEnvs());

function stub(variables: Record<string, string>): void {
  for (const name of Object.keys(process.env)) if (/^(QUEUE|DB)_/.test(name)) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

async function boot(variables: Record<string, string>) {
  stub(variables);
  @Module({ imports: [KinetisQueueModule.forRoot()] })
  class AppModule {}
  const app = await Test.createTestingModule({ imports: [AppModule] }).compile();
  app.useLogger(false);
  return app.init();
}

describe('connections from the environment', () => {
  test.each([
    [{ QUEUE_CONNECTION: 'memory' }, { default: 'memory' }],
    [{ QUEUE_CONNECTION: 'sync' }, { default: 'sync' }],
    [{ QUEUE_CONNECTION: ' memory ', QUEUE_CONNECTIONS: 'default' }, { default: 'memory' }],
    [
      {
        QUEUE_CONNECTION: 'sync',
        QUEUE_CONNECTIONS: 'default, big-ledger',
        QUEUE_BIG_LEDGER_CONNECTION: 'memory',
      },
      { default: 'sync', 'big-ledger': 'memory' },
    ],
  ])('%j', async (variables, drivers) => {
    const app = await boot(variables as Record<string, string>);
    for (const [name, driver] of Object.entries(drivers)) {
      expect(app.get<Queue>(getQueueToken(name)).connection.backend.driver).toBe(driver);
    }
    await app.close();
  });

  test.each([
    ['nothing', {}, /QUEUE_CONNECTION to be one of sync, memory, sql, redis, rabbitmq, sqs; came neither/],
    ['a near miss', { QUEUE_CONECTION: 'memory' }, /holds QUEUE_CONECTION: did you mean QUEUE_CONNECTION\?/],
    ['an empty text', { QUEUE_CONNECTION: '' }, /QUEUE_CONNECTION to be one of/],
    ['an unknown driver', { QUEUE_CONNECTION: 'kafka' }, /QUEUE_CONNECTION: expected one of.*came "kafka"/],
    ['one not described', { QUEUE_CONNECTION: 'sync', QUEUE_CONNECTIONS: 'default,a' }, /QUEUE_A_CONNECTION/],
    ['no default', { QUEUE_CONNECTIONS: 'ledger' }, /QUEUE_CONNECTIONS: expected names.*came "ledger"/],
    ['a name twice', { QUEUE_CONNECTIONS: 'default,a,a' }, /QUEUE_CONNECTIONS: expected names/],
    ['two names, one variable', { QUEUE_CONNECTIONS: 'default,a-b,a_b' }, /"a-b" and "a_b" both read/],
    ['a reserved word', { QUEUE_CONNECTIONS: 'default,redis' }, /"redis" is a reserved word/],
    [
      'a bad lease',
      { QUEUE_CONNECTION: 'memory', QUEUE_VISIBILITY_TIMEOUT_SECONDS: '1m' },
      /QUEUE_VISIBILITY_TIMEOUT_SECONDS: expected a number of seconds above 0, came "1m"/,
    ],
  ])('%s is refused at boot, and names the variable', async (_, variables, message) => {
    const booting = boot(variables as Record<string, string>);
    await expect(booting).rejects.toThrow(QueueConfigurationException);
    await expect(booting).rejects.toThrow(message);
  });

  test('each connection reads its own variables, and shares lease and prefix', () => {
    const environment = {
      QUEUE_CONNECTIONS: 'default,ledger,other',
      QUEUE_CONNECTION: 'memory',
      QUEUE_LEDGER_CONNECTION: 'sql',
      QUEUE_OTHER_CONNECTION: 'sql',
      QUEUE_VISIBILITY_TIMEOUT_SECONDS: '30',
      QUEUE_LEDGER_VISIBILITY_TIMEOUT_SECONDS: '7.5',
      QUEUE_PREFIX: 'shop_',
      DB_DATABASE: 'var/shop.sqlite',
      DB_LEDGER_DATABASE: 'var/ledger.sqlite',
    };
    const noServer = { database: null, redis: null, rabbitmq: null, sqs: null };
    expect(readConnectionNames(environment).map((name) => readConnection(environment, name))).toEqual([
      { ...noServer, driver: 'memory', visibilityTimeoutSeconds: 30, prefix: 'shop_' },
      {
        ...noServer,
        driver: 'sql',
        visibilityTimeoutSeconds: 7.5,
        prefix: 'shop_',
        database: { connection: { driver: 'sqlite', file: 'var/ledger.sqlite' } },
      },
      { ...noServer, driver: 'sql', visibilityTimeoutSeconds: 30, prefix: 'shop_' },
    ]);
  });
});

describe('a worker from the environment', () => {
  test('every variable is read and checked', () => {
    expect(
      readWorkerEnvironment({
        QUEUE_CONNECTION_NAME: 'ledger',
        QUEUE_CONCURRENCY: '10',
        QUEUE_MAX_ATTEMPTS: '0',
        QUEUE_POLL_TIMEOUT: '0.5',
        QUEUE_RENEW_LEASES: 'false',
        QUEUE_TIMEOUT_GRACE: '2.5',
        QUEUE_CRASH_ALLOWANCE: 'Infinity',
        QUEUE_SCHEMA_GRACE: '0',
      }),
    ).toEqual({
      connection: 'ledger',
      concurrency: 10,
      maxAttempts: 0,
      pollTimeoutSeconds: 0.5,
      renewLeases: false,
      timeoutGraceSeconds: 2.5,
      crashAllowance: Infinity,
      schemaGraceSeconds: 0,
    });
  });

  test.each([
    ['QUEUE_CONCURRENCY', '0'],
    ['QUEUE_CONCURRENCY', '1.5'],
    ['QUEUE_CONCURRENCY', '0x10'],
    ['QUEUE_MAX_ATTEMPTS', '-1'],
    ['QUEUE_POLL_TIMEOUT', '0'],
    ['QUEUE_RENEW_LEASES', 'no'],
    ['QUEUE_TIMEOUT_GRACE', '-1'],
    ['QUEUE_CRASH_ALLOWANCE', '1.5'],
    ['QUEUE_SCHEMA_GRACE', 'Infinity'],
    ['QUEUE_POLL_TIMEOUT', 'Infinity'],
    ['QUEUE_CONNECTION_NAME', 'a b'],
  ])('%s=%s is refused', (variable, value) => {
    const read = () => readWorkerEnvironment({ [variable]: value });
    expect(read).toThrow(QueueConfigurationException);
    expect(read).toThrow(`${variable}: expected`);
    expect(read).toThrow(`came ${JSON.stringify(value)}`);
  });
});

describe('remarks on the environment', () => {
  const remarks = (environment: Record<string, string>) =>
    inspectEnvironment(environment, ['default', 'ledger']);

  test('variables in use are named, without values', () => {
    const found = remarks({
      QUEUE_CONNECTION: 'secret-1',
      DB_LEDGER_DATABASE: 'secret-2',
      HOME: '/',
      QUEUE_PREFIX: '',
    });
    expect(found).toEqual({ used: ['DB_LEDGER_DATABASE', 'QUEUE_CONNECTION'], warnings: [], ignored: [] });
  });

  test.each([
    ['QUEUE_CONCURENCY', 'QUEUE_CONCURRENCY'],
    ['QUEUE_CONECTION', 'QUEUE_CONNECTION'],
    ['QUEUE_POLL_TIMEOUTS', 'QUEUE_POLL_TIMEOUT'],
    ['QUEUE_LEGDER_CONNECTION', 'QUEUE_LEDGER_CONNECTION'],
  ])('%s is asked about: did you mean %s?', (wrong, meant) => {
    expect(remarks({ [wrong]: 'secret' }).warnings).toEqual([
      `The environment holds ${wrong}, which means nothing here: did you mean ${meant}?`,
    ]);
  });

  test.each(['ARCHIVE', 'A'])('a connection %s that is described and not listed is warned about', (word) => {
    expect(remarks({ [`QUEUE_${word}_CONNECTION`]: 'sql' }).warnings).toEqual([
      `The environment holds QUEUE_${word}_CONNECTION, but QUEUE_CONNECTIONS lists no connection whose variables ` +
        `begin with QUEUE_${word}.`,
    ]);
  });

  test("a platform's variables are nobody's configuration", () => {
    const environment = {
      QUEUE_PORT: 'tcp://10.0.0.1:6379',
      QUEUE_PORT_6379_TCP_ADDR: '10.0.0.1',
      QUEUE_SERVICE_HOST: '10.0.0.1',
      QUEUE_SERVICE_PORT_HTTP: '80',
    };
    expect(remarks(environment)).toEqual({
      used: [],
      warnings: [],
      ignored: Object.keys(environment),
    });
  });

  test('other unknown variables are none of our business', () => {
    expect(remarks({ QUEUE_OF_THE_SHOP: '1', DB_HOST: 'x' })).toEqual({
      used: [],
      warnings: [],
      ignored: [],
    });
  });
});
