import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { kinetisQueueSql, sql } from '../../lib/sql.js';
import { bareContext } from '../support/bare-context.js';
import { isTested } from '../support/servers.js';
import { temporaryFile } from '../support/sql-files.js';
import { administer, driverNamed, newDatabase } from '../support/sql-servers.js';
import { commandLine } from './support/command-line.js';
import { redisStore } from './support/stores.js';

type Environment = Record<string, string>;

async function sqliteDatabase(): Promise<Environment> {
  return { QUEUE_CONNECTION: 'sql', DB_DATABASE: await temporaryFile() };
}

async function serverDatabase(name: 'postgresql' | 'mariadb'): Promise<Environment> {
  const driver = driverNamed(name);
  const { host, port, user, password } = driver.address;
  return {
    QUEUE_CONNECTION: 'sql',
    DB_DRIVER: name,
    DB_HOST: host,
    DB_PORT: String(port),
    DB_USER: user,
    DB_DATABASE: await newDatabase(driver),
    ...(password === undefined ? {} : { DB_PASSWORD: password }),
  };
}

/** Databases without tables, on all that this run tests. */
const DATABASES: readonly (readonly [
  string,
  'sqlite' | 'postgresql' | 'mysql',
  () => Promise<Environment>,
])[] = [
  ['sqlite', 'sqlite', sqliteDatabase],
  ...(isTested('postgres') ? [['postgres', 'postgresql', () => serverDatabase('postgresql')] as const] : []),
  ...(isTested('mariadb') ? [['mariadb', 'mysql', () => serverDatabase('mariadb')] as const] : []),
];

test.each(DATABASES)('migrate makes the tables, once, on %s', async (_, __, open) => {
  const env = await open();
  const missing = await commandLine(['migrate', '--check'], { env });
  expect(missing).toEqual({
    code: 1,
    out: '"default": there are no tables, and this code needs version 1: run kinetis-queue migrate\n',
    err: '',
  });
  const refused = await commandLine(['stats'], { env });
  expect(refused.code).toBe(64);
  expect(refused.err).toContain('`npx kinetis-queue migrate`');
  expect(await commandLine(['migrate'], { env })).toEqual({
    code: 0,
    out: '"default": made the tables, of version 1\n',
    err: '',
  });
  expect((await commandLine(['migrate'], { env })).out).toBe(
    '"default": the tables are of version 1 already\n',
  );
  expect(await commandLine(['migrate', '--check'], { env })).toEqual({
    code: 0,
    out: '"default": the tables are of version 1, as this code needs\n',
    err: '',
  });
  expect((await commandLine(['stats'], { env })).code).toBe(0);
});

test.each(DATABASES)(
  'migrate --sql prints what is missing, and runs none of it, on %s',
  async (_, dialect, open) => {
    const env = await open();
    const { code, out } = await commandLine(['migrate', '--sql'], { env });
    expect(code).toBe(0);
    const statements = kinetisQueueSql(dialect).flatMap((migration) => migration.statements);
    expect(out).toBe(statements.map((statement) => `${statement};\n\n`).join(''));
    expect((await commandLine(['migrate', '--check'], { env })).code).toBe(1);
    await commandLine(['migrate'], { env });
    expect(await commandLine(['migrate', '--sql'], { env })).toEqual({
      code: 0,
      out: '',
      err: 'the tables are up to date: there is nothing to run\n',
    });
  },
);

test('several that migrate at once all end well', async () => {
  const env = await sqliteDatabase();
  const results = await Promise.all([1, 2, 3].map(() => commandLine(['migrate'], { env })));
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
});

test('a look at the tables makes no SQLite file', async () => {
  const env = await sqliteDatabase();
  for (const flag of ['--check', '--sql']) await commandLine(['migrate', flag], { env });
  expect(existsSync(env['DB_DATABASE'] ?? '')).toBe(false);
});

test('the prefix of the environment names the tables', async () => {
  const env: Environment = { ...(await sqliteDatabase()), QUEUE_PREFIX: 'shop_' };
  expect((await commandLine(['migrate', '--sql'], { env })).out).toContain(
    'create table if not exists shop_jobs',
  );
  const { out } = await commandLine(['migrate', '--json'], { env });
  expect(JSON.parse(out)).toEqual({ connection: 'default', before: 0, version: 1 });
  const backend = await sql({
    connection: { driver: 'sqlite', file: env['DB_DATABASE'] ?? '' },
    tablePrefix: 'shop_',
  })(bareContext());
  onTestFinished(() => backend.close());
  await backend.connect();
});

test('--check tells programs', async () => {
  const env = await sqliteDatabase();
  const { code, out } = await commandLine(['migrate', '--check', '--json'], { env });
  expect({ code, ...(JSON.parse(out) as object) }).toEqual({
    code: 1,
    connection: 'default',
    present: 0,
    needed: 1,
    isCurrent: false,
  });
});

test('newer tables are left alone, and serve this code', async () => {
  const env = await sqliteDatabase();
  await commandLine(['migrate'], { env });
  const { openOrm } = await import('../support/sql-files.js');
  const orm = await openOrm(env['DB_DATABASE'] ?? '');
  await orm.em
    .getConnection()
    .execute('insert into kinetis_queue_schema (version, applied_at) values (7, 0)');
  expect((await commandLine(['migrate'], { env })).out).toBe(
    '"default": the tables are of version 7 already\n',
  );
  expect((await commandLine(['migrate', '--check'], { env })).code).toBe(0);
});

test('--check and --sql together are refused', async () => {
  const { code, err } = await commandLine(['migrate', '--check', '--sql'], { env: await sqliteDatabase() });
  expect({ code, err }).toEqual({ code: 64, err: 'migrate: expected --check or --sql, came both.\n' });
});

test('a path that is no file is told, and 69 ends it', async () => {
  const env = { QUEUE_CONNECTION: 'sql', DB_DATABASE: dirname(await temporaryFile()) };
  const { code, err } = await commandLine(['migrate'], { env });
  expect(code).toBe(69);
  expect(err).toContain('expected a connection to the database');
});

test.runIf(isTested('postgres'))('a schema that is not there is asked for', async () => {
  const env: Environment = { ...(await serverDatabase('postgresql')), DB_SCHEMA: 'shop' };
  const { code, err } = await commandLine(['migrate'], { env });
  expect(code).toBe(64);
  expect(err).toContain('expected the schema or database "shop" to be there');
  await administer(driverNamed('postgresql'), 'create schema shop', env['DB_DATABASE']);
  expect((await commandLine(['migrate'], { env })).code).toBe(0);
});

test.runIf(isTested('redis'))('a backend without tables is refused', async () => {
  const { env } = await redisStore();
  const { code, err } = await commandLine(['migrate'], { env });
  expect(code).toBe(1);
  expect(err).toContain('came "redis" of the connection "default", which has nothing to migrate');
});
