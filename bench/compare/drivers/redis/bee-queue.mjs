// Events off, jobs neither stored in the process nor kept when they succeeded, as its README advises for throughput.
import { peer } from '../../peers.mjs';

const BeeQueue = peer('bee-queue');

export async function open({ redis }) {
  const settings = { redis, getEvents: false, sendEvents: false, storeJobs: false, removeOnSuccess: true };
  const queue = new BeeQueue('bench', { ...settings, isWorker: false });
  await queue.ready();
  let worker = null;
  return {
    push: (payload) => queue.createJob(payload).save(),
    async pushMany(payloads) {
      const errors = await queue.saveAll(payloads.map((payload) => queue.createJob(payload)));
      for (const error of errors.values()) throw error;
    },
    async work(concurrency, onJob) {
      worker = new BeeQueue('bench', settings);
      await worker.ready();
      worker.process(concurrency, async (job) => onJob(job.data));
    },
    async close() {
      await worker?.close();
      await queue.close();
    },
  };
}
