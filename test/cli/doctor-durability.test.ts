import { expect, onTestFinished, test } from 'vitest';
import { hasMariadbPrograms, newPrivateMariadb } from '../support/private-mariadb.js';
import { newPrivatePostgres, postgresPrograms } from '../support/private-postgres.js';
import type { PrivateServer } from '../support/private-server.js';
import { isTested } from '../support/servers.js';
import { migrateSqlQueue } from '../../lib/sql.js';
import { folderWith } from './support/config-file.js';
import { commandLine } from './support/command-line.js';
import { findingsOf } from './support/findings.js';
import { sqliteStore } from './support/stores.js';
import type { Finding } from '../../lib/contract/index.js';

const warned = (message: string, mend: RegExp | string): unknown => ({
  topic: 'settings',
  level: 'warning',
  message: expect.stringMatching(message),
  mend: typeof mend === 'string' ? mend : expect.stringMatching(mend),
});

async function started(server: PrivateServer): Promise<number> {
  onTestFinished(() => server.remove());
  await server.start();
  return server.port;
}

async function settingsOf(driver: 'postgresql' | 'mariadb', port: number): Promise<readonly Finding[]> {
  const [user, database] = driver === 'postgresql' ? ['postgres', 'postgres'] : ['root', 'mysql'];
  await migrateSqlQueue({ driver, host: '127.0.0.1', port, user, database });
  const { code, about } = await findingsOf({
    QUEUE_CONNECTION: 'sql',
    DB_DRIVER: driver,
    DB_HOST: '127.0.0.1',
    DB_PORT: String(port),
    DB_USER: user,
    DB_DATABASE: database,
  });
  expect(code).toBe(0);
  return about('settings');
}

const HAS_POSTGRES = isTested('postgres') && postgresPrograms() !== null;
const HAS_MARIADB = isTested('mariadb') && hasMariadbPrograms();

test.runIf(HAS_POSTGRES)(
  'settings of PostgreSQL that lose or damage what was committed are each told with their mend',
  async () => {
    const off = ['fsync', 'full_page_writes', 'synchronous_commit'].flatMap((name) => ['-c', `${name}=off`]);
    const port = await started(await newPrivatePostgres(off));
    expect(await settingsOf('postgresql', port)).toEqual([
      warned(
        '^fsync = off: .* damage the database',
        '`alter system set fsync = on`, then `select pg_reload_conf()`',
      ),
      warned('^full_page_writes = off: ', /^`alter system set full_page_writes = on`/),
      warned(
        '^synchronous_commit = off: .* loses the pushes',
        /^`alter database … set synchronous_commit = on`/,
      ),
    ]);
  },
);

test.runIf(HAS_POSTGRES)('PostgreSQL as it is installed keeps what was committed', async () => {
  const port = await started(await newPrivatePostgres());
  expect(await settingsOf('postgresql', port)).toMatchObject([{ level: 'ok', mend: null }]);
});

test.runIf(HAS_MARIADB)(
  'settings of MariaDB that lose what was committed are each told with their mend',
  async () => {
    const port = await started(
      await newPrivateMariadb([
        '--innodb-flush-log-at-trx-commit=2',
        '--log-bin',
        '--server-id=1',
        '--sync-binlog=0',
      ]),
    );
    expect(await settingsOf('mariadb', port)).toEqual([
      warned('^innodb_flush_log_at_trx_commit = 2: ', /^`set global innodb_flush_log_at_trx_commit = 1`/),
      warned('^sync_binlog = 0: ', /^`set global sync_binlog = 1`/),
    ]);
  },
);

test.runIf(HAS_MARIADB)(
  'MariaDB without a binary log, as it is installed, keeps what was committed',
  async () => {
    const port = await started(await newPrivateMariadb());
    expect(await settingsOf('mariadb', port)).toMatchObject([{ level: 'ok', mend: null }]);
  },
);

test('SQLite keeps commits through the death of a process, and says what a power failure costs', async () => {
  const { env } = await sqliteStore();
  const { about } = await findingsOf(env);
  expect(about('settings')).toEqual([
    {
      topic: 'settings',
      level: 'ok',
      message:
        'what is committed outlives its process; a power failure can cost the last commits (synchronous = normal)',
      mend: null,
    },
  ]);
});

test.each([
  ['off', 'warning', /^synchronous = off: a power failure can damage the file$/],
  ['full', 'ok', /^what is committed outlives a power failure \(synchronous = full\)$/],
])(
  'of a connection of the application to SQLite its own setting is told: %s',
  async (level, expected, message) => {
    const { env } = await sqliteStore();
    const folder = await folderWith({
      'config.mjs': `
      import { MikroORM } from '${new URL(import.meta.resolve('@mikro-orm/better-sqlite')).href}';
      const sql = async () => (await import(${JSON.stringify(`${process.cwd()}/lib/sql.ts`)})).sql;
      const orm = await MikroORM.init({ dbName: ${JSON.stringify(env['DB_DATABASE'])}, entities: [],
        discovery: { warnWhenNoEntities: false } });
      await orm.em.getConnection().execute('pragma synchronous = ${level}');
      export default { default: async (context) => {
        const backend = await (await sql())({ orm })(context);
        const close = async () => { await backend.close(); await orm.close(true); };
        return Object.create(backend, { close: { value: close } });
      } };`,
    });
    const { out } = await commandLine(['doctor', '--json', '--config=config.mjs'], { folder });
    const { findings } = JSON.parse(out) as { findings: Finding[] };
    const settings = findings.filter(({ topic }) => topic === 'settings');
    expect(settings.at(-1)).toMatchObject({ level: expected, message: expect.stringMatching(message) });
  },
);
