// Fetches in batches as large as the concurrency, without a pause while batches are full, and is woken by NOTIFY.
import { esmPeer } from '../../peers.mjs';

const { PgBoss } = await esmPeer('pg-boss');

export async function open({ url }) {
  const boss = new PgBoss({ connectionString: url, max: 20, useListenNotify: true });
  boss.on('error', console.error);
  await boss.start();
  await boss.createQueue('bench', { notify: true });
  return {
    push: (payload) => boss.send('bench', payload),
    pushMany: (payloads) =>
      boss.insert(
        'bench',
        payloads.map((data) => ({ data })),
      ),
    async work(concurrency, onJob) {
      // A batch of one is never "full": two is the smallest that does not pause between jobs.
      const options = {
        batchSize: Math.max(2, concurrency),
        burstWhenBatchFull: true,
        pollingIntervalSeconds: 0.5,
      };
      await boss.work('bench', options, async (jobs) => {
        for (const { data } of jobs) onJob(data);
      });
    },
    close: () => boss.stop({ graceful: false }),
  };
}
