import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateSqlQueue } from '../../dist/lib/sql.js';

/** Rows that one statement makes: enough to be fast, few enough to show that it goes on. */
const CHUNK = 50_000;

export const QUEUES = ['q0', 'q1', 'q2', 'q3', 'q4'];

const COLUMNS =
  'id, queue, state, due_at, priority, v, serial, attempts, deferrals, grace_rounds, stored_at, body';
const BODY = JSON.stringify({ invoice: 1, address: 'someone@example.test', note: 'x'.repeat(140) });

/** The `select` of new rows: half of them delayed by days, five queues, three priorities. */
const rowsOf = ({ now, text, id, rank, from }) => `
  insert into kinetis_queue_jobs (${COLUMNS}, ${rank})
  select
    ${id}, ${text("'q'", '(seq % 5)')}, seq % 2,
    ${now} + case when seq % 2 = 1 then 86400000 * (1 + seq % 20) else 0 end,
    seq % 3, 1, 0, 0, 0, 0, ${now}, '${BODY}', seq % 3
  from ${from}`;

/** What a server needs: its driver of MikroORM, and the words of its SQL. */
const SERVERS = {
  postgres: {
    driver: 'postgresql',
    url: () => process.env.KINETIS_TEST_POSTGRES_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres',
    administrative: 'postgres',
    drop: (name) => `drop database ${name} with (force)`,
    version: 'show server_version',
    fill: (first, last) =>
      rowsOf({
        now: '(extract(epoch from statement_timestamp()) * 1000)::bigint',
        text: (a, b) => `${a} || ${b}`,
        id: 'md5(seq::text)',
        rank: 'rank',
        from: `generate_series(${first}, ${last}) as numbers (seq)`,
      }),
    // As the server does by itself, some time after a table was filled.
    settle: ['vacuum analyze kinetis_queue_jobs', 'checkpoint'],
  },
  mariadb: {
    driver: 'mariadb',
    url: () => process.env.KINETIS_TEST_MARIADB_URL ?? 'mysql://root@127.0.0.1:3306/mysql',
    administrative: 'mysql',
    drop: (name) => `drop database ${name}`,
    version: 'select version() as server_version',
    fill: (first, last) =>
      rowsOf({
        now: `(timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000)`,
        text: (a, b) => `concat(${a}, ${b})`,
        id: 'md5(seq)',
        rank: '`rank`',
        from: `seq_${first}_to_${last}`,
      }),
    settle: ['analyze table kinetis_queue_jobs'],
  },
  sqlite: {
    driver: 'sqlite',
    version: 'select sqlite_version() as server_version',
    fill: (first, last) =>
      rowsOf({
        now: `cast(unixepoch('subsec') * 1000 as integer)`,
        text: (a, b) => `${a} || ${b}`,
        id: `printf('%032x', seq)`,
        rank: 'rank',
        from: `(
          with recursive numbers (seq) as (select ${first} union all select seq + 1 from numbers where seq < ${last})
          select seq from numbers
        )`,
      }),
    settle: [],
  },
};

export const DATABASES = Object.keys(SERVERS);

/**
 * Databases of this program's own, each with `depth` waiting jobs. `progress` is told of each step.
 * `close()` drops them.
 */
export async function openDepthDatabases({ database, depths, progress }) {
  const server = SERVERS[database];
  const place = await placeOn(server);
  const opened = [];
  const close = async () => {
    for (const { name } of opened) await place.drop(name);
    await place.close();
  };
  try {
    for (const depth of depths) {
      const name = `kinetis_test_depth_${randomBytes(6).toString('hex')}`;
      const connection = await place.create(name);
      opened.push({ name, depth, connection });
      await migrateSqlQueue(connection);
      await fill(server, await place.orm(name), depth, progress);
    }
    return { version: await place.version(), opened, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function fill(server, orm, depth, progress) {
  const execute = (text) => orm.em.getConnection().execute(text, [], 'run');
  for (let done = 0; done < depth;) {
    const last = Math.min(depth, done + CHUNK);
    await execute(server.fill(done + 1, last));
    done = last;
    progress(`${done} of ${depth} jobs`);
  }
  for (const statement of server.settle) await execute(statement);
  await orm.close(true);
}

async function open(driver, options) {
  const packageName = driver === 'sqlite' ? '@mikro-orm/better-sqlite' : `@mikro-orm/${driver}`;
  const { MikroORM } = await import(packageName);
  return MikroORM.init({ entities: [], discovery: { warnWhenNoEntities: false }, ...options });
}

/** Where databases are made: a server, or a folder for files. */
async function placeOn({ driver, url, administrative, drop, version }) {
  const folder = driver === 'sqlite' ? await mkdtemp(join(tmpdir(), 'kinetis-queue-test-')) : null;
  const optionsOf = (name) =>
    folder === null ? { clientUrl: url(), dbName: name } : { dbName: join(folder, name) };
  const admin = await open(driver, optionsOf(administrative ?? 'admin_test'));
  const execute = (text) => admin.em.getConnection().execute(text);
  return {
    orm: (name) => open(driver, optionsOf(name)),
    async create(name) {
      if (folder !== null) return { driver, file: join(folder, name) };
      await execute(`create database ${name}`);
      return { driver, url: url(), database: name };
    },
    async drop(name) {
      if (!name.includes('test')) {
        throw new Error(`Expected a database with "test" in its name, came "${name}": it is not dropped.`);
      }
      if (folder === null) await execute(drop(name));
    },
    version: async () => Object.values((await execute(version))[0])[0],
    async close() {
      await admin.close(true);
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    },
  };
}
