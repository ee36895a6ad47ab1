// A database of its own for each cell, on the MariaDB server of KINETIS_TEST_MARIADB_URL or of this machine.
import { createConnection } from 'mariadb';

const url = process.env.KINETIS_TEST_MARIADB_URL ?? 'mariadb://root@127.0.0.1:3306';

export async function openPlace() {
  const { migrateSqlQueue } = await import('../../../dist/lib/sql.js');
  const { hostname: host, port, username: user, password } = new URL(url);
  const server = { host, port: Number(port || 3306), user, password };
  const admin = await createConnection(server);
  const [{ version, flush }] = await admin.query(
    'select version() version, @@innodb_flush_log_at_trx_commit flush',
  );
  let database = null;
  let cells = 0;
  const drop = async () => {
    if (database !== null) await admin.query(`drop database ${database}`);
  };
  return {
    settings: `MariaDB ${version}, innodb_flush_log_at_trx_commit ${flush}`,
    async fresh({ kind }) {
      await drop();
      cells += 1;
      database = `kinetis_test_bench_${process.pid}_${cells}`;
      await admin.query(`create database ${database}`);
      const connection = { driver: 'mariadb', url, database };
      if (kind === 'ours' || kind === 'scoped') await migrateSqlQueue(connection);
      return { server: { ...server, database }, ours: { name: 'sql', options: { connection } } };
    },
    async close() {
      await drop();
      await admin.end();
    },
  };
}
