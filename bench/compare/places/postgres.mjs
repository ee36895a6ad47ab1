// A database of its own for each cell, on the PostgreSQL server of KINETIS_TEST_POSTGRES_URL or of this machine.
import { peer } from '../peers.mjs';

const { Client } = peer('pg');
const url = process.env.KINETIS_TEST_POSTGRES_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';

export async function openPlace() {
  const { migrateSqlQueue } = await import('../../../dist/lib/sql.js');
  const admin = new Client({ connectionString: url });
  await admin.connect();
  const setting = async (name) => (await admin.query(`show ${name}`)).rows[0][name];
  const settings = `PostgreSQL ${await setting('server_version')}, fsync ${await setting('fsync')}, synchronous_commit ${await setting('synchronous_commit')}`;
  let database = null;
  const drop = async () => {
    if (database !== null) await admin.query(`drop database ${database} with (force)`);
  };
  let cells = 0;
  return {
    settings,
    async fresh({ kind }) {
      await drop();
      cells += 1;
      database = `kinetis_test_bench_${process.pid}_${cells}`;
      await admin.query(`create database ${database}`);
      const address = Object.assign(new URL(url), { pathname: `/${database}` }).href;
      const connection = { driver: 'postgresql', url: address, database };
      if (kind === 'ours' || kind === 'scoped') await migrateSqlQueue(connection);
      return { url: address, ours: { name: 'sql', options: { connection } } };
    },
    async close() {
      await drop();
      await admin.end();
    },
  };
}
