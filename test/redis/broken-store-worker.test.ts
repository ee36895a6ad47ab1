import type { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { queueKey } from '../../lib/backends/redis/queue-keys.js';
import { Work } from '../support/apps/work.job.js';
import { waitFor } from '../support/eventually.js';
import { clientOf, openRedis, privateRedis } from '../support/redis-queue.js';
import { ServerBench } from '../support/server-bench.js';
import { queueOver } from '../support/server-queue.js';
import { isTested } from '../support/servers.js';

/** Long enough to break the store before the job falls due. */
const DELAY_SECONDS = 0.5;
const PENDING = queueKey('kinetis_queue', 'work', 'pending');

const troubles: readonly {
  readonly what: string;
  readonly code: string;
  begin(client: Redis): Promise<unknown>;
  end(client: Redis): Promise<unknown>;
}[] = [
  {
    what: 'a key of the wrong type',
    code: 'WRONGTYPE',
    begin: (client) => client.sadd(PENDING, 'a stranger'),
    end: (client) => client.del(PENDING),
  },
  {
    what: 'the memory limit',
    code: 'OOM',
    begin: (client) => client.config('SET', 'maxmemory', '1'),
    end: (client) => client.config('SET', 'maxmemory', '0'),
  },
];

describe.runIf(isTested('redis-cluster'))('a worker process', () => {
  it('outlasts a broken store, and runs what is due after the mend', { timeout: 60_000 }, async () => {
    const server = await privateRedis(['--appendonly', 'yes']);
    const client = clientOf(server);
    const queue = queueOver(await openRedis({ url: server.url }));
    const bench = new ServerBench({ driver: 'redis', url: server.url }, 90);
    onTestFinished(() => bench.close());
    const worker = bench.startWorker();
    await queue.push(new Work(0, 'quick'));
    await bench.ledger.seen('JobSucceeded', 1);
    for (const [index, { what, code, begin, end }] of troubles.entries()) {
      await queue.push(new Work(index + 1, 'quick'), { delaySeconds: DELAY_SECONDS });
      await begin(client);
      await waitFor(`the worker to meet ${what}`, () =>
        bench.logged('error').some((line) => JSON.stringify(line).includes(`(${code})`)),
      );
      expect(await client.zcard(queueKey('kinetis_queue', 'work', 'delayed')), 'it is where it was').toBe(1);
      expect(bench.ledger.count('start')).toBe(index + 1);
      await end(client);
      await bench.ledger.seen('JobSucceeded', index + 2);
    }
    expect(worker.child.exitCode).toBeNull();
    expect(await bench.stop()).toEqual([0]);
    expect(bench.ledger.of('start').map(({ n, attempt }) => [n, attempt])).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
    ]);
    expect(bench.printed()).toEqual([]);
  });
});
