// As its page on performance advises for throughput: a local queue of 500 jobs, completions in batches, a pool that is
// larger than the concurrency.
import { peer } from '../../peers.mjs';

const { Logger, makeWorkerUtils, run } = peer('graphile-worker');

export async function open({ url }) {
  const logger = new Logger(() => (level, message) => {
    if (level === 'error') console.error(message);
  });
  const utils = await makeWorkerUtils({ connectionString: url, logger, maxPoolSize: 20 });
  await utils.migrate();
  let runner = null;
  return {
    push: (payload) => utils.addJob('invoice', payload),
    pushMany: (payloads) => utils.addJobs(payloads.map((payload) => ({ identifier: 'invoice', payload }))),
    async work(concurrency, onJob) {
      runner = await run({
        logger,
        noHandleSignals: true,
        taskList: { invoice: async (payload) => onJob(payload) },
        preset: {
          worker: {
            connectionString: url,
            concurrentJobs: concurrency,
            maxPoolSize: Math.min(concurrency + 1, 25),
            localQueue: { size: 500 },
            completeJobBatchDelay: 0,
            failJobBatchDelay: 0,
          },
        },
      });
    },
    async close() {
      await runner?.stop();
      await utils.release();
    },
  };
}
