import { describe, expect, it, onTestFinished } from 'vitest';
import { Work } from '../support/apps/work.job.js';
import { LONG } from '../support/long.js';
import { newPrefix, openRedis } from '../support/redis-queue.js';
import { redisTestUrl } from '../support/redis-servers.js';
import { ServerBench } from '../support/server-bench.js';
import { queueOver } from '../support/server-queue.js';
import { isTested } from '../support/servers.js';

const JOBS = LONG ? 20_000 : 5_000;
const PROCESSES = 6;
const PUSH_SIZE = 2_500;

describe.runIf(isTested('redis'))('six worker processes on Redis', () => {
  it(`run ${JOBS} jobs exactly once each, and none of them sees an error`, { timeout: 180_000 }, async () => {
    const { prefix } = newPrefix();
    const queue = queueOver(await openRedis({ prefix }));
    for (let n = 0; n < JOBS; n += PUSH_SIZE) {
      await queue.pushMany(Array.from({ length: PUSH_SIZE }, (_, index) => new Work(n + index, 'quick')));
    }
    const bench = new ServerBench({ driver: 'redis', url: redisTestUrl().href, prefix }, 90);
    onTestFinished(() => bench.close());
    for (let count = 0; count < PROCESSES; count += 1) bench.startWorker('--concurrency=10');
    await bench.ledger.seen('JobSucceeded', JOBS, 150_000);
    expect(await bench.stop()).toEqual(Array.from({ length: PROCESSES }, () => 0));
    const started = bench.ledger.of('start');
    expect(started).toHaveLength(JOBS);
    expect(new Set(started.map(({ n }) => n)).size).toBe(JOBS);
    expect(bench.ledger.count('JobSucceeded')).toBe(JOBS);
    // A test's server may well persist nothing, of which each process warns.
    const logged = bench.logged('warn', 'error', 'fatal').map((line) => JSON.stringify(line));
    expect(logged.filter((line) => !line.includes('redis(): '))).toEqual([]);
    expect(bench.printed()).toEqual([]);
    expect(await queue.counts('work')).toMatchObject({ ready: 0, delayed: 0, reserved: 0, failed: 0 });
  });
});
