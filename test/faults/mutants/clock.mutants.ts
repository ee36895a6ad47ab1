import type { CaughtBy, SourceMutants } from './mutant.js';

function caughtBy(backend: string): CaughtBy {
  return {
    file: 'test/conformance/process-clock.test.ts',
    tests: ['is the same for a process whose clock is an hour behind'],
    backend,
  };
}

/** Servers keep the time of all their clients: the clock of a process must count for nothing. */
export const clockMutants: SourceMutants = {
  'redis promotes by the clock of the process': {
    patches: [
      {
        file: 'lib/backends/redis/scripts/reserve.lua',
        find: 'local limit, token = tonumber(ARGV[1]), ARGV[3]',
        replace:
          "local limit = tonumber(ARGV[1])\nlocal token, clock_here = string.match(ARGV[3], '(.*)@(.*)')\nnow = tonumber(clock_here)",
      },
      {
        file: 'lib/backends/redis/reserve-jobs.ts',
        find: "const token = randomBytes(12).toString('base64url');",
        replace: "const token = `${randomBytes(12).toString('base64url')}@${Date.now()}`;",
      },
    ],
    caughtBy: caughtBy('redis'),
  },
  'postgresql promotes by the clock of the process': {
    patches: [
      {
        file: 'lib/backends/sql/dialects/postgresql/promote.sql',
        find: 'due_at <= kinetis_now()',
        replace: 'due_at <= :now::bigint',
      },
      {
        file: 'lib/backends/sql/dialects/postgresql.dialect.ts',
        find: '{ queues: due, limit: PROMOTION_BATCH_SIZE }',
        replace: '{ queues: due, limit: PROMOTION_BATCH_SIZE, now: Date.now() }',
      },
    ],
    caughtBy: caughtBy('postgres'),
  },
  'mariadb lets leases end by the clock of the process': {
    patches: [
      {
        file: 'lib/backends/sql/dialects/mysql/reserve.sql',
        find: 'due_at = kinetis_now() + round(',
        replace: 'due_at = :now + round(',
      },
      {
        file: 'lib/backends/sql/dialects/mysql-reserve.ts',
        find: '{ seqs, token, leaseSeconds }',
        replace: '{ seqs, token, leaseSeconds, now: Date.now() }',
      },
    ],
    caughtBy: caughtBy('mariadb'),
  },
};
