import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { KinetisQueueModule, provideJobs, Queue, QueueConfigurationException } from '../../lib/index.js';
import { readConnection } from '../../lib/module/configuration/environment.js';
import { inspectEnvironment } from '../../lib/module/configuration/inspect-environment.js';
import { migrateSqlQueue, type SqlServerConnectionOptions } from '../../lib/sql.js';
import { openBackend } from '../support/sql-files.js';
import { administer, newDatabase, type ServerDriver, testedDrivers } from '../support/sql-servers.js';
import { Journal, Note } from './support/jobs.js';
import { start } from './support/run.js';

let folder = '';
let file = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kinetis-queue-test-'));
  file = join(folder, 'jobs.sqlite');
  vi.stubEnv('QUEUE_CONNECTION', 'sql');
  vi.stubEnv('DB_DATABASE', file);
  vi.stubEnv('QUEUE_PREFIX', 'shop_');
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

function application() {
  @Module({ imports: [KinetisQueueModule.forRoot()], providers: [Journal, ...provideJobs(Note)] })
  class AppModule {}
  return AppModule;
}

test('the environment alone gives a SQLite queue, opened at its first use', async () => {
  const app = await NestFactory.createApplicationContext(application(), {
    logger: false,
    abortOnError: false,
  });
  await expect(access(file)).rejects.toThrow();
  await app.close();

  await migrateSqlQueue({ driver: 'sqlite', file }, { tablePrefix: 'shop_' });
  const run = start(application(), ['--once'], async (worker) => {
    await worker.get(Queue).push(new Note('stored'));
  });
  expect(await run.ended).toBe(0);
  expect((await run.app).get(Journal, { strict: false }).lines).toEqual(['stored']);
});

test('a worker on a file without tables ends with 64 and names the mend', async () => {
  const run = start(application());
  expect(await run.ended).toBe(64);
  expect(JSON.stringify(run.log.event('worker.stopped'))).toMatch(/migrat/i);
});

test('boot says which variables it read, and shows no value of them', async () => {
  const lines: string[] = [];
  const logger = Object.fromEntries(
    ['log', 'warn', 'error', 'debug', 'verbose', 'fatal'].map((level) => [
      level,
      (line: unknown) => lines.push(String(line)),
    ]),
  );
  const app = await NestFactory.createApplicationContext(application(), {
    logger: logger as never,
    abortOnError: false,
  });
  await app.close();
  expect(lines).toContain(
    'Connections from the environment, read from DB_DATABASE, QUEUE_CONNECTION, QUEUE_PREFIX.',
  );
  expect(lines.join('\n')).not.toContain(folder);
});

describe('a database that the environment describes', () => {
  const read = (variables: Record<string, string>) =>
    readConnection({ QUEUE_CONNECTION: 'sql', ...variables }, 'default').database;

  test.each<[string, Record<string, string>, unknown]>([
    [
      'a server, from its parts',
      { DB_DRIVER: 'mysql', DB_HOST: 'h', DB_PORT: '3307', DB_DATABASE: 'shop' },
      { connection: { driver: 'mysql', host: 'h', port: 3307, database: 'shop' } },
    ],
    [
      'a file, where nothing else is said',
      { DB_DATABASE: 'shop.sqlite' },
      { connection: { driver: 'sqlite', file: 'shop.sqlite' } },
    ],
    [
      'an address, and what goes before its parts',
      { DB_DRIVER: 'mariadb', DB_URL: 'mysql://h/a', DB_USER: 'u' },
      { connection: { driver: 'mariadb', url: 'mysql://h/a', user: 'u' } },
    ],
    [
      'TLS and a schema',
      { DB_DRIVER: 'postgresql', DB_URL: 'postgres://h/a', DB_SSL: 'true', DB_SCHEMA: 'jobs' },
      { connection: { driver: 'postgresql', url: 'postgres://h/a', ssl: true }, schema: 'jobs' },
    ],
    [
      "nothing: variables of the application's own",
      { DB_HOST: 'h', DB_USER: 'u', DB_PORT: 'any', DB_SCHEMA: '-' },
      null,
    ],
    [
      "a platform's port is none",
      { DB_DRIVER: 'postgresql', DB_DATABASE: 'a', DB_PORT: 'tcp://10.0.0.1:5432' },
      { connection: { driver: 'postgresql', database: 'a' } },
    ],
  ])('%s', (_, variables, database) => {
    expect(read(variables)).toEqual(database);
  });

  test.each([
    ['postgresql', 'postgresql'],
    ['postgres', 'postgresql'],
    ['mysql', 'mysql'],
    ['mariadb', 'mariadb'],
  ])('a server that the address alone names: %s', (scheme, driver) => {
    const url = `${scheme}://h/a`;
    expect(read({ DB_URL: url })).toEqual({ connection: { driver, url } });
  });

  test.each<[Record<string, string>, string]>([
    [
      { DB_DRIVER: 'postgresql' },
      'DB_DATABASE: expected the name of a database, here or at the end of DB_URL, came nothing.',
    ],
    [
      { DB_DRIVER: 'postgresql', DB_URL: 'postgresql://user:pass-word@host' },
      'DB_DATABASE: expected the name of a database, here or at the end of DB_URL, came nothing.',
    ],
    [
      { DB_DRIVER: 'sqlite' },
      'DB_DATABASE: expected the path of a file, for the driver is sqlite, came nothing.',
    ],
    [
      { DB_DATABASE: 'shop', DB_HOST: 'db' },
      'DB_HOST: expected a server in DB_DRIVER (postgresql, mariadb, mysql), which is sqlite where it is not set, came none.',
    ],
    [
      { DB_URL: 'pass-word:user@host/shop' },
      'DB_URL: expected a server in DB_DRIVER (postgresql, mariadb, mysql), which is sqlite where it is not set, came none.',
    ],
    [
      { DB_DRIVER: 'sqlite', DB_DATABASE: 'f', DB_PASSWORD: 'pass-word' },
      'DB_PASSWORD: expected none beside DB_DRIVER=sqlite, came one.',
    ],
    [
      { DB_DRIVER: 'postgresql', DB_URL: 'mysql://user:pass-word@host/shop' },
      'DB_URL: expected an address that begins with postgresql:// or postgres://, as DB_DRIVER is postgresql, came one that begins with mysql://.',
    ],
    [
      { DB_DRIVER: 'mysql', DB_URL: 'pass-word:x@host/shop' },
      'DB_URL: expected an address that begins with mysql://, as DB_DRIVER is mysql, came something else.',
    ],
    [
      { DB_DRIVER: 'mysql', DB_URL: 'pass-word' },
      'DB_URL: expected an address such as postgresql://user:password@host:5432/database, came something else.',
    ],
    [
      { DB_DRIVER: 'postgresql', DB_DATABASE: 'postgresql://user:pass-word@host/shop' },
      'DB_DATABASE: expected the path of a file on SQLite, else the name of a database, came an address, which belongs into DB_URL.',
    ],
    [
      { DB_DRIVER: 'oracle', DB_DATABASE: 'a' },
      'DB_DRIVER: expected one of sqlite, postgresql, mariadb, mysql, came "oracle".',
    ],
    [
      { DB_DRIVER: 'mysql', DB_DATABASE: 'a', DB_PORT: '0' },
      'DB_PORT: expected a port from 1 to 65535, came "0".',
    ],
    [
      { DB_DRIVER: 'mysql', DB_DATABASE: 'a', DB_SSL: 'require' },
      'DB_SSL: expected true or false, came "require".',
    ],
    [
      { DB_DRIVER: 'mysql', DB_DATABASE: 'a', DB_SCHEMA: 'a b' },
      'DB_SCHEMA: expected a letter or underscore and up to 62 more letters, digits and underscores, came "a b".',
    ],
  ])('%j is refused, and no secret is shown', (variables, message) => {
    expect(() => read(variables)).toThrow(new QueueConfigurationException(message));
    expect(message).not.toContain('pass-word');
  });

  test('the variables of a connection carry its name, in errors too', () => {
    const environment = {
      QUEUE_LEDGER_CONNECTION: 'sql',
      DB_LEDGER_DRIVER: 'postgresql',
      DB_LEDGER_URL: 'mysql://h/a',
      DB_DATABASE: 'shop.sqlite',
    };
    expect(() => readConnection(environment, 'ledger')).toThrow(
      /^DB_LEDGER_URL: expected an address that .* as DB_LEDGER_DRIVER is postgresql/,
    );
  });

  test('variables of the application that the queue does not read are not named as used', () => {
    const used = (variables: Record<string, string>) => inspectEnvironment(variables, ['default']).used;
    expect(used({ QUEUE_CONNECTION: 'sql', DB_HOST: 'h', DB_PASSWORD: 'p' })).toEqual(['QUEUE_CONNECTION']);
    expect(used({ QUEUE_CONNECTION: 'memory', DB_DATABASE: 'a' })).toEqual(['QUEUE_CONNECTION']);
    expect(used({ QUEUE_CONNECTION: 'sql', DB_DATABASE: 'a', DB_PASSWORD: 'p' })).toEqual([
      'DB_DATABASE',
      'DB_PASSWORD',
      'QUEUE_CONNECTION',
    ]);
  });
});

/** A user with a password, and a schema of the queue's own that belongs to it: what an operator would hand over. */
async function handedOver(driver: ServerDriver): Promise<{ database: string; schema: string; user: string }> {
  const database = await newDatabase(driver);
  const user = `${database}_user`;
  if (driver.name === 'postgresql') {
    await administer(driver, `create role ${user} login password 'pass-word'`);
    onTestFinished(() => administer(driver, `drop role ${user}`));
    await administer(driver, `create schema jobs authorization ${user}`, database);
    onTestFinished(() => administer(driver, `drop schema jobs cascade`, database));
    return { database, schema: 'jobs', user };
  }
  const schema = await newDatabase(driver);
  await administer(driver, `create user ${user} identified by 'pass-word'`);
  onTestFinished(() => administer(driver, `drop user ${user}`));
  await administer(driver, `grant all on ${database}.* to ${user}`);
  await administer(driver, `grant all on ${schema}.* to ${user}`);
  return { database, schema, user };
}

describe.each(testedDrivers())('$name from the environment', (driver) => {
  test.each(['parts', 'an address'])(
    'a worker runs what was pushed; the server is given as %s',
    async (form) => {
      const { database, schema, user } = await handedOver(driver);
      const { host, port } = driver.address;
      const connection: SqlServerConnectionOptions =
        form === 'parts'
          ? { driver: driver.name, host, port, database, user, password: 'pass-word' }
          : { driver: driver.name, url: `${driver.name}://${user}:pass-word@${host}:${port}/${database}` };
      await migrateSqlQueue(connection, { tablePrefix: 'shop_', schema });
      const { url, password } = connection;
      const variables = {
        DB_DRIVER: driver.name,
        DB_SCHEMA: schema,
        DB_URL: url,
        DB_DATABASE: connection.database,
      };
      const others = {
        DB_HOST: connection.host,
        DB_PORT: connection.port?.toString(),
        DB_USER: connection.user,
        DB_PASSWORD: password,
      };
      for (const [name, value] of Object.entries({ ...variables, ...others })) vi.stubEnv(name, value);
      const run = start(application(), ['--once'], async (worker) => {
        await worker.get(Queue).push(new Note('stored'));
      });
      expect(await run.ended).toBe(0);
      expect((await run.app).get(Journal, { strict: false }).lines).toEqual(['stored']);
      expect(JSON.stringify(run.log.lines)).not.toContain('pass-word');
    },
  );

  test('a password that is refused is not shown, nor is one in an address', async () => {
    const { database, user } = await handedOver(driver);
    const { host, port } = driver.address;
    // PostgreSQL trusts this machine here and asks for no password: there the role is one that does not exist.
    const unknown = driver.name === 'postgresql' ? `${user}_gone` : user;
    vi.stubEnv('DB_DRIVER', driver.name);
    vi.stubEnv('DB_DATABASE', undefined);
    vi.stubEnv('DB_URL', `${driver.name}://${unknown}:wrong-pass-word@${host}:${port}/${database}`);
    const run = start(application(), ['--max-connection-failures=1']);
    expect(await run.ended).not.toBe(0);
    expect(JSON.stringify(run.log.lines)).not.toContain('pass-word');
    expect(run.log.event('worker.stopped')).toHaveLength(1);
  });

  test('DB_SSL=true asks for TLS, and does not go on without it', async () => {
    const { database, user } = await handedOver(driver);
    const variables = {
      DB_DRIVER: driver.name,
      DB_HOST: driver.address.host,
      DB_DATABASE: database,
      DB_SSL: 'true',
    };
    const others = { DB_USER: user, DB_PASSWORD: 'pass-word' };
    for (const [name, value] of Object.entries({ ...variables, ...others })) vi.stubEnv(name, value);
    const { connection } = readConnection(process.env, 'default').database ?? {};
    const backend = await openBackend({ connection: connection as SqlServerConnectionOptions });
    const failure: unknown = await backend.connect().catch((error: unknown) => error);
    // The servers of the tests have no TLS, or a certificate of their own, as each client says in its words.
    expect(inspect(failure)).toMatch(
      /does not support SSL|ER_SERVER_SSL_DISABLED|does not support secure connection|certificate/,
    );
  });
});
