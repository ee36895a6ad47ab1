import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Queue } from '../../lib/queue/index.js';
import { migrateSqlQueue, type SqlServerConnectionOptions } from '../../lib/sql.js';
import { Work } from '../support/apps/work.job.js';
import { waitFor } from '../support/eventually.js';
import { LONG } from '../support/long.js';
import { hasMariadbPrograms, newPrivateMariadb } from '../support/private-mariadb.js';
import { newPrivatePostgres, postgresPrograms } from '../support/private-postgres.js';
import { deliveriesOf } from '../support/deliveries.js';
import { ServerBench } from '../support/server-bench.js';
import { queueOver } from '../support/server-queue.js';
import { openBackend } from '../support/sql-files.js';
import { isTested } from '../support/servers.js';

const KILLS = LONG ? 20 : 5;
const LEASE_SECONDS = 2;
/** Deliveries between two kills. */
const LEAST_WORK = 200;
const MOST_WAITING = 500;

const servers = [
  {
    name: 'postgresql',
    isThere: isTested('postgres') && postgresPrograms() !== null,
    make: newPrivatePostgres,
    at: { driver: 'postgresql', user: 'postgres', database: 'postgres' },
  },
  {
    name: 'mariadb',
    isThere: isTested('mariadb') && hasMariadbPrograms(),
    make: newPrivateMariadb,
    at: { driver: 'mariadb', user: 'root', database: 'mysql' },
  },
] as const;

/** What a push may say of a server that is gone. */
const REJECTIONS = ['QUEUE_OUTCOME_UNKNOWN', 'QUEUE_CONNECTION_FAILED', 'QUEUE_SERVER_REFUSED'];

/** Pushes as long as it may, and keeps account of what was answered. */
class Pusher {
  readonly accepted = new Set<string>();
  /** By code, how often. */
  readonly rejected = new Map(REJECTIONS.map((code) => [code, 0]));
  #n = 0;

  constructor(
    private readonly queue: Queue,
    /** How many jobs were done so far. */
    private readonly done: () => number,
  ) {}

  async push(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.accepted.size - this.done() > MOST_WAITING) {
        await pause(5);
        continue;
      }
      try {
        this.accepted.add(await this.queue.push(new Work((this.#n += 1), 'quick')));
      } catch (error) {
        const { code } = error as { readonly code: string };
        const times = this.rejected.get(code);
        if (times === undefined) throw error;
        this.rejected.set(code, times + 1);
        await pause(20);
      }
    }
  }
}

describe.each(servers)('a $name that is killed again and again', ({ name, isThere, make, at }) => {
  it.runIf(isThere)(
    `${KILLS} times under load loses no accepted job, and its workers go on by themselves`,
    { timeout: (KILLS * 20 + 120) * 1_000 },
    async () => {
      const server = await make();
      onTestFinished(() => server.remove());
      await server.start();
      const connection: SqlServerConnectionOptions = { ...at, host: '127.0.0.1', port: server.port };
      await migrateSqlQueue(connection);
      const queue = queueOver(await openBackend({ connection, leaseSeconds: LEASE_SECONDS }));
      const bench = new ServerBench(connection, LEASE_SECONDS);
      onTestFinished(() => bench.close());
      for (let count = 0; count < 2; count += 1) bench.startWorker('--concurrency=8');

      const stop = new AbortController();
      const pusher = new Pusher(queue, () => bench.ledger.count('JobSucceeded'));
      const pushing = Promise.all([1, 2, 3].map(() => pusher.push(stop.signal)));
      pushing.catch(() => undefined);
      for (let kill = 0; kill < KILLS; kill += 1) {
        await bench.ledger.seen('JobSucceeded', bench.ledger.count('JobSucceeded') + LEAST_WORK, 60_000);
        await server.kill();
        await server.start();
      }
      await bench.ledger.seen('JobSucceeded', bench.ledger.count('JobSucceeded') + LEAST_WORK, 60_000);
      stop.abort();
      await pushing;
      await waitFor(
        'an empty queue',
        async () => {
          const { ready, delayed, reserved } = await queue.counts('work');
          return ready + (delayed ?? 0) + (reserved ?? 0) === 0;
        },
        60_000,
      );
      const running = bench.workers.filter(({ child }) => child.exitCode === null);
      expect(await bench.stop()).toEqual([0, 0]);

      const { ids, again, unreported, afterSuccess, withoutCause } = deliveriesOf(bench.ledger.lines());
      const unknown = bench.ledger.count('JobSettlementUnknown');
      const restored = bench
        .logged('log')
        .filter(({ message }) => message.event === 'worker.connection-restored');
      console.log(
        `${name}, ${KILLS} kills: ${pusher.accepted.size} pushes accepted, ${JSON.stringify(Object.fromEntries(pusher.rejected))}, ` +
          `${bench.ledger.count('start')} deliveries, ${again} of them repeated, ` +
          `${unknown} settlements unknown, ${bench.ledger.count('JobSettlementLost')} stale, ` +
          `${restored.length} outages told as over`,
      );
      expect(running).toHaveLength(2);
      expect([...pusher.accepted].filter((id) => !ids.has(id))).toEqual([]);
      expect(unreported).toEqual([]);
      expect(afterSuccess).toEqual([]);
      expect(withoutCause).toEqual([]);
      expect(restored.length).toBeGreaterThan(0);
      expect(bench.printed()).toEqual([]);
      expect(await queue.counts('work')).toMatchObject({ failed: 0 });
    },
  );
});
