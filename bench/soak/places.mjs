// Where a soak keeps its jobs: a database or prefix of its own, how it counts what is stored there, and how it ends it.
import { randomBytes } from 'node:crypto';
import { migrateSqlQueue } from '../../dist/lib/sql.js';

const newName = () => `kinetis_test_soak_${randomBytes(6).toString('hex')}`;

/** How many rows, and how large the tables are. */
const SQL_SERVERS = {
  postgres: {
    driver: 'postgresql',
    url: () => process.env.KINETIS_TEST_POSTGRES_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres',
    administrative: 'postgres',
    drop: (name) => `drop database ${name} with (force)`,
    version: `select 'PostgreSQL ' || current_setting('server_version') || case current_setting('autovacuum')
      when 'on' then '' else ', vacuumed by this program each minute, since autovacuum is off' end as version`,
    vacuums: `select current_setting('autovacuum') = 'on' as itself`,
    bytes: `select pg_total_relation_size('kinetis_queue_jobs') + pg_total_relation_size('kinetis_queue_failed_jobs') as bytes`,
  },
  mariadb: {
    driver: 'mariadb',
    url: () => process.env.KINETIS_TEST_MARIADB_URL ?? 'mysql://root@127.0.0.1:3306/mysql',
    administrative: 'mysql',
    drop: (name) => `drop database ${name}`,
    version: `select concat('MariaDB ', version()) as version`,
    bytes: `select coalesce(sum(data_length + index_length), 0) as bytes from information_schema.tables where table_schema = database()`,
  },
};

const ROWS =
  'select (select count(*) from kinetis_queue_jobs) as jobs, (select count(*) from kinetis_queue_failed_jobs) as failed';

const VACUUM_EVERY_MS = 60_000;

/** What a server does by itself, but for one that was set up for tests: without it dead rows are never taken out of its indexes. */
async function vacuumWhereNeeded(orm, asked) {
  const [{ itself }] = await orm.em.getConnection().execute(asked);
  if (itself) return null;
  const vacuum = () =>
    orm.em
      .getConnection()
      .execute('vacuum (analyze) kinetis_queue_jobs, kinetis_queue_failed_jobs')
      .catch((error) => console.error(`vacuum: ${error.message}`));
  return setInterval(vacuum, VACUUM_EVERY_MS).unref();
}

async function sqlPlace({ driver, url, administrative, drop, version, bytes, vacuums = null }) {
  const { MikroORM } = await import(`@mikro-orm/${driver}`);
  const open = (dbName) =>
    MikroORM.init({ clientUrl: url(), dbName, entities: [], discovery: { warnWhenNoEntities: false } });
  const ask = async (orm, text) => (await orm.em.getConnection().execute(text))[0];
  const name = newName();
  const admin = await open(administrative);
  await admin.em.getConnection().execute(`create database ${name}`);
  const connection = { driver, url: url(), database: name };
  await migrateSqlQueue(connection);
  const own = await open(name);
  const vacuuming = vacuums === null ? null : await vacuumWhereNeeded(own, vacuums);
  return {
    backend: { name: 'sql', options: { connection } },
    version: (await ask(own, version)).version,
    unit: 'rows',
    async stored() {
      const { jobs, failed } = await ask(own, ROWS);
      return { items: Number(jobs) + Number(failed), bytes: Number((await ask(own, bytes)).bytes) };
    },
    /** What is left when every job is done. */
    atRest: 0,
    async close() {
      clearInterval(vacuuming);
      await own.close(true);
      await admin.em.getConnection().execute(drop(name));
      await admin.close(true);
    },
  };
}

/** Members of a queue's keys beside its bodies and its registry, each by the command that counts it. */
const COUNT_MEMBERS = `
local sum = 0
for _, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  local command = ({ list = 'LLEN', zset = 'ZCARD', hash = 'HLEN', set = 'SCARD' })[kind]
  if command then sum = sum + redis.call(command, key) end
end
return sum`;

async function redisPlace() {
  const { Redis } = await import('ioredis');
  const url = process.env.KINETIS_TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';
  const prefix = newName();
  const client = new Redis(url);
  const [, version] = /redis_version:(\S+)/.exec(await client.info('server')) ?? [];
  const keys = async () => {
    const found = new Set();
    let cursor = '0';
    do {
      const [next, some] = await client.scan(cursor, 'MATCH', `${prefix}:*`, 'COUNT', 1_000);
      for (const key of some) found.add(key);
      cursor = next;
    } while (cursor !== '0');
    return [...found];
  };
  return {
    backend: { name: 'redis', options: { url, prefix } },
    version: `Redis ${version}`,
    unit: 'members of keys',
    async stored() {
      const own = await keys();
      const items = await client.eval(COUNT_MEMBERS, own.length, ...own);
      const sizes = await Promise.all(own.map((key) => client.memory('USAGE', key)));
      return { items, bytes: sizes.reduce((sum, size) => sum + (size ?? 0), 0) };
    },
    // The name of the queue in the registry of queues.
    atRest: 1,
    async close() {
      const own = await keys();
      if (own.length > 0) await client.del(...own);
      await client.quit();
    },
  };
}

export const places = {
  redis: redisPlace,
  postgres: () => sqlPlace(SQL_SERVERS.postgres),
  mariadb: () => sqlPlace(SQL_SERVERS.mariadb),
};
