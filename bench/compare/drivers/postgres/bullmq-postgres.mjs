// BullMQ over its PostgreSQL backend; jobs are removed when they are done.
import { peer } from '../../peers.mjs';

const { createPostgresBackend, withBackend } = peer('bullmq');
const { Queue, Worker } = withBackend(createPostgresBackend);

export async function open({ url }) {
  const connection = { connectionString: url, migrate: true };
  const defaultJobOptions = { removeOnComplete: true, removeOnFail: true };
  const queue = new Queue('bench', { connection, defaultJobOptions });
  await queue.waitUntilReady();
  let worker = null;
  return {
    push: (payload) => queue.add('invoice', payload),
    pushMany: (payloads) => queue.addBulk(payloads.map((payload) => ({ name: 'invoice', data: payload }))),
    async work(concurrency, onJob) {
      worker = new Worker('bench', async (job) => onJob(job.data), { connection, concurrency });
      await worker.waitUntilReady();
    },
    async close() {
      await worker?.close();
      await queue.close();
    },
  };
}
