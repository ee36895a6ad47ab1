// better-sqlite3 alone: one statement reserves as many as the concurrency says, another removes them.
import { setTimeout as pause } from 'node:timers/promises';
import { peer } from '../../peers.mjs';

const Database = peer('better-sqlite3');

export async function open({ file }) {
  const database = new Database(file, { timeout: 5_000 });
  database.pragma('journal_mode = wal');
  database.pragma('synchronous = normal');
  database.exec(
    'create table if not exists jobs (id integer primary key, payload text not null, until integer)',
  );
  database.exec('create index if not exists ready on jobs (id) where until is null');
  const insert = database.prepare('insert into jobs (payload) values (?)');
  const insertAll = database.transaction((payloads) => {
    for (const payload of payloads) insert.run(JSON.stringify(payload));
  });
  const reserve = database.prepare(
    `update jobs set until = unixepoch() + 90
     where id in (select id from jobs where until is null order by id limit ?) returning id, payload`,
  );
  const remove = database.prepare('delete from jobs where id in (select value from json_each(?))');
  return {
    push: async (payload) => insert.run(JSON.stringify(payload)),
    pushMany: async (payloads) => insertAll.immediate(payloads),
    async work(concurrency, onJob) {
      const loop = async () => {
        while (database.open) {
          const rows = reserve.all(concurrency);
          for (const { payload } of rows) onJob(JSON.parse(payload));
          if (rows.length > 0) remove.run(JSON.stringify(rows.map(({ id }) => id)));
          else await pause(1);
          // Others get their turn, as they would behind a client that answers by promises.
          await Promise.resolve();
        }
      };
      setImmediate(() => void loop());
    },
    close: async () => database.close(),
  };
}
