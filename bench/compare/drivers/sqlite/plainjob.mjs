// Over better-sqlite3, with the journal and durability of the others. It has one job at a time a worker: as many workers
// as the concurrency, and its shortest polling interval.
import { peer } from '../../peers.mjs';

const Database = peer('better-sqlite3');
const { better, defineQueue, defineWorker } = peer('plainjob');

const silent = { error: console.error, warn() {}, info() {}, debug() {} };

export async function open({ file }) {
  const database = new Database(file, { timeout: 5_000 });
  database.pragma('journal_mode = wal');
  database.pragma('synchronous = normal');
  const queue = defineQueue({ connection: better(database), logger: silent });
  const workers = [];
  return {
    push: async (payload) => queue.add('invoice', payload),
    pushMany: async (payloads) => queue.addMany('invoice', payloads),
    async work(concurrency, onJob) {
      for (let n = 0; n < concurrency; n += 1) {
        const worker = defineWorker('invoice', async ({ data }) => onJob(JSON.parse(data)), {
          queue,
          logger: silent,
          pollIntervall: 1,
        });
        worker.start().catch(console.error);
        workers.push(worker);
      }
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.stop()));
      queue.close();
    },
  };
}
