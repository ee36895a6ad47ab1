import { describe, expect, it, onTestFinished } from 'vitest';
import { deliveriesOf } from '../support/deliveries.js';
import { waitFor } from '../support/eventually.js';
import { LONG } from '../support/long.js';
import { openRedis, privateRedis } from '../support/redis-queue.js';
import { RedisPusher } from '../support/redis-pusher.js';
import { ServerBench } from '../support/server-bench.js';
import { queueOver } from '../support/server-queue.js';
import { isTested } from '../support/servers.js';

const CRASHES = LONG ? 100 : 20;
const LEASE_SECONDS = 2;
/** Jobs that are done between two crashes at least. */
const BETWEEN_CRASHES = 50;
const MOST_WAITING = 200;
/** A worker is back at work within this. */
const BACK_MS = 10_000;

describe.runIf(isTested('redis-cluster'))(`a Redis that is killed ${CRASHES} times under load`, () => {
  it(
    'with appendfsync always: nothing that was accepted is lost, nothing that was done comes again',
    { timeout: (CRASHES * 20 + 60) * 1_000 },
    async () => {
      const server = await privateRedis(['--appendonly', 'yes', '--appendfsync', 'always']);
      const queue = queueOver(await openRedis({ url: server.url }));
      const bench = new ServerBench({ driver: 'redis', url: server.url }, LEASE_SECONDS);
      onTestFinished(() => bench.close());
      const worker = bench.startWorker('--concurrency=8');
      const done = (): number => bench.ledger.count('JobSucceeded');
      const pusher = new RedisPusher(queue, done, MOST_WAITING);

      const stop = new AbortController();
      const pushing = Promise.all([1, 2, 3].map(() => pusher.push(stop.signal)));
      pushing.catch(() => undefined);
      await bench.ledger.seen('JobSucceeded', BETWEEN_CRASHES);
      for (let crash = 0; crash < CRASHES; crash += 1) {
        await server.kill();
        await server.start();
        await bench.ledger.seen('JobSucceeded', done() + BETWEEN_CRASHES, BACK_MS);
      }
      stop.abort();
      await pushing;
      await waitFor('the end of every job', async () => {
        const { ready, reserved } = await queue.counts('work');
        return ready + (reserved ?? 0) === 0;
      });
      expect(worker.child.exitCode, 'the worker that was started first is the one that works').toBeNull();
      expect(await bench.stop()).toEqual([0]);

      const lines = bench.ledger.lines();
      const { ids, again, unreported, afterSuccess, withoutCause } = deliveriesOf(lines);
      console.log(
        `${CRASHES} crashes: ${pusher.accepted.size} pushes accepted, ${pusher.refused.size} refused, ${pusher.unknown} unknown; ` +
          `${bench.ledger.count('start')} deliveries, ${again} of them repeated`,
      );
      expect([...pusher.accepted].filter((id) => !ids.has(id))).toEqual([]);
      expect(bench.ledger.of('start').filter(({ n = 0 }) => pusher.refused.has(n))).toEqual([]);
      expect({ unreported, afterSuccess, withoutCause }).toEqual({
        unreported: [],
        afterSuccess: [],
        withoutCause: [],
      });
      expect(pusher.unknown, 'the crashes came in mid-work').toBeGreaterThan(0);
      expect(bench.printed()).toEqual([]);
      expect(await queue.counts('work')).toMatchObject({ failed: 0 });
    },
  );
});
