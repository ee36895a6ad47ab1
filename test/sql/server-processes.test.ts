import { describe, expect, it, onTestFinished } from 'vitest';
import { Work } from '../support/apps/work.job.js';
import { LONG } from '../support/long.js';
import { ServerBench } from '../support/server-bench.js';
import { newQueueDatabase, queueOver } from '../support/server-queue.js';
import { openBackend } from '../support/sql-files.js';
import { isTested } from '../support/servers.js';
import { driverNamed } from '../support/sql-servers.js';

const JOBS = LONG ? 20_000 : 5_000;
const PROCESSES = 6;
const PUSH_SIZE = 2_500;

describe.each(['postgresql', 'mariadb'] as const)('six worker processes on %s', (name) => {
  const driver = driverNamed(name);

  it.runIf(isTested(driver.backend))(
    `run ${JOBS} jobs exactly once each, and none of them sees an error`,
    { timeout: 180_000 },
    async () => {
      const connection = await newQueueDatabase(driver);
      const queue = queueOver(await openBackend({ connection }));
      for (let n = 0; n < JOBS; n += PUSH_SIZE) {
        await queue.pushMany(Array.from({ length: PUSH_SIZE }, (_, index) => new Work(n + index, 'quick')));
      }
      const bench = new ServerBench(connection, 90);
      onTestFinished(() => bench.close());
      for (let count = 0; count < PROCESSES; count += 1) bench.startWorker('--concurrency=10');
      await bench.ledger.seen('start', 1);
      const startedAt = performance.now();
      await bench.ledger.seen('JobSucceeded', JOBS, 150_000);
      const seconds = (performance.now() - startedAt) / 1_000;
      expect(await bench.stop()).toEqual(Array.from({ length: PROCESSES }, () => 0));

      const started = bench.ledger.of('start');
      const shares = new Map<number, number>();
      for (const { pid } of started) shares.set(pid, (shares.get(pid) ?? 0) + 1);
      console.log(
        `${name}: ${JOBS} jobs by ${shares.size} processes in ${seconds.toFixed(1)} s, ` +
          `shares ${[...shares.values()].join(' ')}`,
      );
      expect(started).toHaveLength(JOBS);
      expect(new Set(started.map(({ n }) => n)).size).toBe(JOBS);
      expect(bench.ledger.count('JobSucceeded')).toBe(JOBS);
      expect(shares.size).toBe(PROCESSES);
      expect(bench.logged('warn', 'error', 'fatal')).toEqual([]);
      expect(bench.printed()).toEqual([]);
      expect(await queue.counts('work')).toMatchObject({ ready: 0, delayed: 0, reserved: 0, failed: 0 });
    },
  );
});
