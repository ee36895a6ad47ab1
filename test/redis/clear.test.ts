import { describe, expect, it } from 'vitest';
import { createHash } from 'node:crypto';
import type { NewJob } from '../../lib/contract/index.js';
import { clientOf, newJob, openRedis, privateRedis } from '../support/redis-queue.js';
import { keysOf } from '../support/redis-servers.js';
import { isTested } from '../support/servers.js';

const JOBS = 200_000;
const AT_ONCE = 5_000;

function keyed(index: number): NewJob {
  const uniqueKey = createHash('sha256').update(String(index)).digest('hex');
  return newJob({ uniqueKey, delaySeconds: index % 2 === 0 ? 0 : 3_600 });
}

describe.runIf(isTested('redis-cluster'))(
  `a clear of ${JOBS.toLocaleString('en')} jobs with unique keys`,
  () => {
    it('counts them exactly, frees each key, and lets others in between its steps', async () => {
      const server = await privateRedis();
      const client = clientOf(server);
      const backend = await openRedis({ url: server.url });
      for (let from = 0; from < JOBS; from += AT_ONCE) {
        await backend.store(Array.from({ length: AT_ONCE }, (_, index) => keyed(from + index)));
      }
      const load = { isOver: false };
      let longestMs = 0;
      const ping = async (): Promise<number> => {
        let pings = 0;
        for (; !load.isOver; pings += 1) {
          const sent = performance.now();
          await client.ping();
          longestMs = Math.max(longestMs, performance.now() - sent);
        }
        return pings;
      };
      const pinging = ping();
      expect(await backend.clear('mail')).toBe(JOBS);
      load.isOver = true;
      // One step a thousand jobs: whoever asks meanwhile is answered between them.
      expect(await pinging).toBeGreaterThan(50);
      console.log(`longest ping during the clear: ${longestMs.toFixed(1)} ms`);
      expect(await keysOf(client, 'kinetis_queue:{mail}')).toEqual([]);
      expect((await backend.store([keyed(0), keyed(1), keyed(0)])).map(({ status }) => status)).toEqual([
        'applied',
        'applied',
        'duplicate',
      ]);
    }, 60_000);
  },
);
