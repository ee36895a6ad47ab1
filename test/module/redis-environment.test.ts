import { randomBytes } from 'node:crypto';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  getQueueToken,
  KinetisQueueModule,
  provideJobs,
  type Queue,
  QueueConfigurationException,
} from '../../lib/index.js';
import { readConnection } from '../../lib/module/configuration/environment.js';
import { inspectEnvironment } from '../../lib/module/configuration/inspect-environment.js';
import { deleteKeys, keysOf, plainClient, redisTestUrl } from '../support/redis-servers.js';
import { isTested } from '../support/servers.js';
import { Journal, Note } from './support/jobs.js';
import { LogLines, start } from './support/run.js';

const ADDRESS_EXPECTED =
  'REDIS_URL: expected an address that begins with redis:// or rediss://, such as ' +
  'redis://user:password@host:6379/0, with % only before two hex digits, came something else.';

beforeEach(() => {
  for (const name of Object.keys(process.env)) {
    if (/^(QUEUE|DB|REDIS)_/.test(name)) vi.stubEnv(name, undefined);
  }
});

afterEach(() => vi.unstubAllEnvs());

function stub(variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

function application() {
  @Module({ imports: [KinetisQueueModule.forRoot()], providers: [Journal, ...provideJobs(Note)] })
  class AppModule {}
  return AppModule;
}

describe('a server that the environment describes', () => {
  const read = (variables: Record<string, string>) =>
    readConnection({ QUEUE_CONNECTION: 'redis', ...variables }, 'default').redis;

  test.each<[string, Record<string, string>, unknown]>([
    ['this machine, where nothing is said', { REDIS_URL: '' }, {}],
    [
      'its parts',
      {
        REDIS_HOST: 'h',
        REDIS_PORT: '6380',
        REDIS_USERNAME: 'u',
        REDIS_PASSWORD: 'p://w',
        REDIS_DB: '0',
        REDIS_TLS: 'true',
      },
      { options: { host: 'h', port: 6380, username: 'u', password: 'p://w', db: 0, tls: {} } },
    ],
    ['no TLS', { REDIS_HOST: '::1', REDIS_TLS: 'FALSE' }, { options: { host: '::1' } }],
    ['an address as it is', { REDIS_URL: 'redis://u:p@h/1?family=6' }, { url: 'redis://u:p@h/1?family=6' }],
    [
      'an address, and what goes before its parts',
      {
        REDIS_URL: 'redis://u:p@h:1/2?family=6',
        REDIS_HOST: '::1',
        REDIS_PORT: '6380',
        REDIS_USERNAME: 'a@b',
        REDIS_PASSWORD: 'p:/%@w',
        REDIS_DB: '3',
        REDIS_TLS: 'true',
      },
      { url: 'rediss://a%40b:p%3A%2F%25%40w@[::1]:6380/3?family=6' },
    ],
    [
      'an address with TLS, and a user for it',
      { REDIS_URL: 'rediss://h', REDIS_USERNAME: 'u', REDIS_PASSWORD: 'p' },
      { url: 'rediss://u:p@h' },
    ],
    [
      'an address without a host is this machine',
      { REDIS_URL: 'redis://', REDIS_PASSWORD: 'p' },
      { url: 'redis://:p@localhost' },
    ],
    [
      "a platform's port is none",
      { REDIS_HOST: 'h', REDIS_PORT: 'tcp://10.0.0.1:6379' },
      { options: { host: 'h' } },
    ],
  ])('%s', (_, variables, server) => {
    expect(read(variables)).toEqual(server);
  });

  test.each<[Record<string, string>, string]>([
    [{ REDIS_URL: 'http://user:pass-word@host' }, ADDRESS_EXPECTED],
    [{ REDIS_URL: 'REDISS://user:pass-word@host' }, ADDRESS_EXPECTED],
    [{ REDIS_URL: 'redis:pass-word@host' }, ADDRESS_EXPECTED],
    [{ REDIS_URL: 'redis://user:pass-word%zz@host' }, ADDRESS_EXPECTED],
    [{ REDIS_URL: 'redis://user:pass-word@host/shop' }, ADDRESS_EXPECTED],
    [{ REDIS_URL: 'redis://user:pass-word@host:port' }, ADDRESS_EXPECTED],
    [
      { REDIS_URL: 'rediss://user:pass-word@host', REDIS_TLS: 'false' },
      'REDIS_TLS: expected true, as REDIS_URL begins with rediss://, came false.',
    ],
    [
      { REDIS_HOST: 'redis://user:pass-word@host' },
      'REDIS_HOST: expected the name of a host, or an IP address, without a port, came an address, which belongs into REDIS_URL.',
    ],
    [
      { REDIS_HOST: 'host:6379' },
      'REDIS_HOST: expected the name of a host, or an IP address, without a port, came "host:6379".',
    ],
    [{ REDIS_PORT: '6379a' }, 'REDIS_PORT: expected a port from 1 to 65535, came "6379a".'],
    [{ REDIS_PORT: '65536' }, 'REDIS_PORT: expected a port from 1 to 65535, came "65536".'],
    [{ REDIS_DB: '-1' }, 'REDIS_DB: expected an integer of 0 or more, came "-1".'],
    [{ REDIS_DB: 'shop' }, 'REDIS_DB: expected an integer of 0 or more, came "shop".'],
    [{ REDIS_TLS: 'yes' }, 'REDIS_TLS: expected true or false, came "yes".'],
  ])('%j is refused, and no secret is shown', (variables, message) => {
    expect(() => read(variables)).toThrow(new QueueConfigurationException(message));
    expect(message).not.toContain('pass-word');
  });

  test('the variables of a connection carry its name, in errors too; it takes none of another', () => {
    const environment = { QUEUE_BIG_LEDGER_CONNECTION: 'redis', REDIS_URL: 'redis://h', REDIS_PORT: 'any' };
    expect(readConnection(environment, 'big-ledger').redis).toEqual({});
    expect(() => readConnection({ ...environment, REDIS_BIG_LEDGER_PORT: 'any' }, 'big-ledger')).toThrow(
      /^REDIS_BIG_LEDGER_PORT: expected a port/,
    );
  });

  test('lease and prefix are those of every driver', () => {
    const environment = {
      QUEUE_CONNECTION: 'redis',
      QUEUE_PREFIX: 'shop',
      QUEUE_VISIBILITY_TIMEOUT_SECONDS: '7',
    };
    expect(readConnection(environment, 'default')).toMatchObject({
      prefix: 'shop',
      visibilityTimeoutSeconds: 7,
    });
  });
});

describe('remarks on the variables of Redis', () => {
  const remarks = (variables: Record<string, string>) => inspectEnvironment(variables, ['default', 'ledger']);

  test('they are named as used only where a connection has the driver', () => {
    const variables = { REDIS_URL: 'redis://secret', REDIS_LEDGER_HOST: 'h' };
    expect(remarks(variables).used).toEqual([]);
    expect(remarks({ ...variables, QUEUE_CONNECTION: 'memory' }).used).toEqual(['QUEUE_CONNECTION']);
    expect(remarks({ ...variables, QUEUE_LEDGER_CONNECTION: 'redis' }).used).toEqual([
      'QUEUE_LEDGER_CONNECTION',
      'REDIS_LEDGER_HOST',
    ]);
    expect(remarks({ ...variables, QUEUE_CONNECTION: 'redis' }).used).toEqual([
      'QUEUE_CONNECTION',
      'REDIS_URL',
    ]);
  });

  test("a platform's port is ignored", () => {
    expect(remarks({ QUEUE_CONNECTION: 'redis', REDIS_PORT: 'tcp://10.0.0.1:6379' })).toEqual({
      used: ['QUEUE_CONNECTION'],
      warnings: [],
      ignored: ['REDIS_PORT'],
    });
  });
});

describe.runIf(isTested('redis'))('Redis from the environment', () => {
  /** A database that is not the first, so that a test sees whether its number is heeded. */
  const DATABASE = '1';

  interface HandedOver {
    readonly client: Redis;
    readonly prefix: string;
    /** A user of the server who may touch nothing but the prefix, with the password "pass-word". */
    readonly user: string;
  }

  async function handedOver(): Promise<HandedOver> {
    const prefix = `kinetis_test_${randomBytes(6).toString('hex')}`;
    const address = redisTestUrl();
    address.pathname = `/${DATABASE}`;
    const client = plainClient(address);
    await client.acl('SETUSER', prefix, 'on', '>pass-word', `~${prefix}:*`, `&${prefix}:*`, '+@all');
    onTestFinished(async () => {
      await client.acl('DELUSER', prefix);
      await deleteKeys(client, prefix);
      client.disconnect();
    });
    return { client, prefix, user: prefix };
  }

  /** The variables of a server, for a connection with this word. */
  function serverOf(form: string, word: string, user: string): Record<string, string> {
    const { hostname, port } = redisTestUrl();
    if (form === 'an address') {
      return { [`REDIS_${word}URL`]: `redis://${user}:pass-word@${hostname}:${port || 6379}/${DATABASE}` };
    }
    return {
      [`REDIS_${word}HOST`]: hostname,
      [`REDIS_${word}PORT`]: port || '6379',
      [`REDIS_${word}USERNAME`]: user,
      [`REDIS_${word}PASSWORD`]: 'pass-word',
      [`REDIS_${word}DB`]: DATABASE,
      [`REDIS_${word}TLS`]: 'false',
    };
  }

  test.each([
    ['default', 'parts'],
    ['default', 'an address'],
    ['ledger', 'parts'],
    ['ledger', 'an address'],
  ])('a worker of "%s" runs what was pushed; the server is given as %s', async (connection, form) => {
    const { client, prefix, user } = await handedOver();
    const isDefault = connection === 'default';
    const others: Record<string, string> = isDefault
      ? { QUEUE_CONNECTION: 'redis' }
      : { QUEUE_CONNECTIONS: 'default,ledger', QUEUE_CONNECTION: 'memory', QUEUE_LEDGER_CONNECTION: 'redis' };
    stub({ ...others, ...serverOf(form, isDefault ? '' : 'LEDGER_', user), QUEUE_PREFIX: prefix });
    const keys: string[] = [];
    const argv = ['--once', `--connection=${connection}`, '--queue=default'];
    const run = start(application(), argv, async (worker) => {
      await worker.get<Queue>(getQueueToken(connection)).push(new Note('stored'));
      keys.push(...(await keysOf(client, prefix)));
    });
    expect(await run.ended).toBe(0);
    expect((await run.app).get(Journal, { strict: false }).lines).toEqual(['stored']);
    expect(keys).toContain(`${prefix}:{default}:pending`);
    expect(JSON.stringify(run.log.lines)).not.toContain('pass-word');
  });

  test('the lease of a delivery is the one of the environment', async () => {
    const { prefix, user } = await handedOver();
    stub({ QUEUE_CONNECTION: 'redis', ...serverOf('parts', '', user), QUEUE_PREFIX: prefix });
    stub({ QUEUE_VISIBILITY_TIMEOUT_SECONDS: '7.5' });
    const app = await NestFactory.createApplicationContext(application(), { logger: false });
    onTestFinished(() => app.close());
    const queue = app.get<Queue>(getQueueToken('default'));
    await queue.push(new Note('stored'));
    const reserved = await queue.connection.backend.reserve(['default'], 1);
    expect(reserved).toMatchObject([{ leaseSeconds: 7.5 }]);
  });

  test('boot says which variables it read, and shows no value of them', async () => {
    stub({ QUEUE_CONNECTION: 'redis', ...serverOf('an address', '', 'secret-user'), DB_DATABASE: 'a' });
    const log = new LogLines();
    const app = await NestFactory.createApplicationContext(application(), {
      logger: log,
      abortOnError: false,
    });
    await app.close();
    const lines = log.lines.map(({ message }) => String(message));
    expect(lines).toContain('Connections from the environment, read from QUEUE_CONNECTION, REDIS_URL.');
    expect(lines.join('\n')).not.toMatch(/pass-word|secret-user/);
  });

  test.each(['parts', 'an address'])('a password that is refused is not shown; given as %s', async (form) => {
    const { prefix, user } = await handedOver();
    stub({ QUEUE_CONNECTION: 'redis', ...serverOf(form, '', `${user}_gone`), QUEUE_PREFIX: prefix });
    const run = start(application(), ['--max-connection-failures=1', '--max-time=5']);
    expect(await run.ended).not.toBe(0);
    expect(JSON.stringify(run.log.lines)).not.toContain('pass-word');
    expect(run.log.event('worker.stopped')).toHaveLength(1);
  });

  test('REDIS_TLS=true asks for TLS, and does not go on without it', async () => {
    const { client, prefix, user } = await handedOver();
    stub({
      QUEUE_CONNECTION: 'redis',
      ...serverOf('parts', '', user),
      QUEUE_PREFIX: prefix,
      REDIS_TLS: 'true',
    });
    const run = start(application(), ['--once', '--max-connection-failures=1']);
    // The server of the tests speaks no TLS.
    expect(await run.ended).toBe(69);
    expect(JSON.stringify(run.log.lines)).not.toContain('pass-word');
    expect(await keysOf(client, prefix)).toEqual([]);
  });
});
