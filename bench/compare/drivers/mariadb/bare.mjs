// The client alone: rows reserved in a transaction as many at a time as the concurrency says, and deleted in one statement.
import { setTimeout as pause } from 'node:timers/promises';
import { createPool } from 'mariadb';

export async function open({ server }) {
  const pool = createPool({ ...server, connectionLimit: 5, bulk: true, insertIdAsNumber: true });
  await pool.query(
    'create table if not exists jobs (id bigint auto_increment primary key, payload longtext, reserved tinyint not null default 0, key ready (reserved, id))',
  );
  const row = (payload) => [JSON.stringify(payload)];
  return {
    push: (payload) => pool.query('insert into jobs (payload) values (?)', row(payload)),
    pushMany: (payloads) => pool.batch('insert into jobs (payload) values (?)', payloads.map(row)),
    async work(concurrency, onJob) {
      const connection = await pool.getConnection();
      await connection.query('set session transaction isolation level read committed');
      const loop = async () => {
        for (;;) {
          await connection.beginTransaction();
          const rows = await connection.query(
            'select id, payload from jobs where reserved = 0 order by id limit ? for update skip locked',
            [concurrency],
          );
          const ids = rows.map(({ id }) => id);
          if (ids.length > 0) await connection.query('update jobs set reserved = 1 where id in (?)', [ids]);
          await connection.commit();
          for (const { payload } of rows) onJob(JSON.parse(payload));
          if (ids.length > 0) await connection.query('delete from jobs where id in (?)', [ids]);
          else await pause(1);
        }
      };
      loop().catch(() => {});
    },
    close: () => pool.end(),
  };
}
