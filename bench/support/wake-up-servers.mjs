// What wake-up.mjs needs of each server: the options of a backend that is this program's own, and a way to make a worker
// deaf to hints, where one can be told from those of others.
import { randomBytes } from 'node:crypto';

const own = `kinetis_test_${randomBytes(6).toString('hex')}`;

export const servers = {
  async postgres() {
    const { MikroORM } = await import('@mikro-orm/postgresql');
    const { migrateSqlQueue } = await import('../../dist/lib/sql.js');
    const url = process.env.KINETIS_TEST_POSTGRES_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
    const discovery = { warnWhenNoEntities: false };
    const admin = await MikroORM.init({ clientUrl: url, dbName: 'postgres', entities: [], discovery });
    const execute = (text) => admin.em.getConnection().execute(text);
    await execute(`create database ${own}`);
    const connection = { driver: 'postgresql', url, database: own };
    await migrateSqlQueue(connection);
    return {
      backend: { name: 'sql', options: { connection } },
      deafen: () =>
        execute(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${own}' and query like 'listen %'`,
        ),
      async close() {
        await execute(`drop database ${own} with (force)`);
        await admin.close();
      },
    };
  },

  async redis() {
    const { Redis } = await import('ioredis');
    const url = process.env.KINETIS_TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';
    const admin = new Redis(url);
    return {
      backend: { name: 'redis', options: { url, prefix: own } },
      deafen: null,
      async close() {
        const keys = await admin.keys(`${own}:*`);
        if (keys.length > 0) await admin.del(...keys);
        await admin.quit();
      },
    };
  },
};
