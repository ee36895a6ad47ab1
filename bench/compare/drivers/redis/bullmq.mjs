// Jobs are removed when they are done, as its documentation advises; concurrency is its own option.
import { peer } from '../../peers.mjs';

const { Queue, Worker } = peer('bullmq');

export async function open({ redis: { host, port } }) {
  const connection = { host, port };
  const defaultJobOptions = { removeOnComplete: true, removeOnFail: true };
  const queue = new Queue('bench', { connection, defaultJobOptions });
  await queue.waitUntilReady();
  let worker = null;
  return {
    push: (payload) => queue.add('invoice', payload),
    pushMany: (payloads) => queue.addBulk(payloads.map((payload) => ({ name: 'invoice', data: payload }))),
    async work(concurrency, onJob) {
      const connected = { ...connection, maxRetriesPerRequest: null };
      worker = new Worker('bench', async (job) => onJob(job.data), { connection: connected, concurrency });
      await worker.waitUntilReady();
    },
    async close() {
      await worker?.close();
      await queue.close();
    },
  };
}
