import type { SourceMutants, SourcePatch } from './mutant.js';

function statement(name: string, find: string, replace: string): SourcePatch {
  return { file: `lib/backends/sql/dialects/mysql/${name}.sql`, find, replace };
}

function code(name: string, find: string, replace: string): SourcePatch {
  return { file: `lib/backends/sql/dialects/mysql-${name}.ts`, find, replace };
}

function caughtBy(title: string): SourceMutants[string]['caughtBy'] {
  return { suite: 'mariadb', cases: [title] };
}

/** Tests that hold a row in another session while the queue's step runs. */
function caughtWhileHeld(...tests: [string, ...string[]]): SourceMutants[string]['caughtBy'] {
  return { file: 'test/sql/taken-meanwhile.test.ts', backend: 'mariadb', tests };
}

export const mysqlMutants: SourceMutants = {
  'mariadb ignores the token of an ack': {
    patches: [statement('remove', ' and token = :token', '')],
    caughtBy: caughtBy('stale: ack after a reclaim is stale and changes nothing'),
  },
  'mariadb settles what a batch names, whoever holds it': {
    patches: [
      code(
        'settle',
        'const current = entries.filter(({ receipt }) => held.has(receipt.key));',
        'const current = entries;',
      ),
      code(
        'settle',
        'return entries.map(({ receipt }) => held.has(receipt.key));',
        'return entries.map(() => true);',
      ),
    ],
    caughtBy: caughtBy('stale: release after a reclaim is stale and changes nothing'),
  },
  'mariadb writes what is stale, and says so': {
    patches: [
      code(
        'settle',
        'const current = entries.filter(({ receipt }) => held.has(receipt.key));',
        'const current = entries;',
      ),
    ],
    caughtBy: caughtBy('settlement: stale entries of every kind in one batch change nothing'),
  },
  'mariadb keeps the row of a job that it gives up on': {
    patches: [code('settle', '[...removals, ...failures]', 'removals')],
    caughtBy: caughtBy('stale: ack after a fail is stale and changes nothing'),
  },
  'mariadb forgets delayed jobs when it promotes': {
    patches: [code('reserve', 'for (const state of [1, 2])', 'for (const state of [2])')],
    caughtBy: caughtBy('delays: a delayed job comes when its delay is over, and not before'),
  },
  'mariadb reclaims without counting the attempt': {
    patches: [
      statement(
        'promote',
        'case when state = 2 and attempts between 0 and 9007199254740990 then attempts + 1 else attempts end',
        'attempts',
      ),
    ],
    caughtBy: caughtBy('attempts: a reclaimed lease adds 1 to attempts and 0 to deferrals'),
  },
  'mariadb reserves without locking what it picks': {
    patches: [statement('pick-ready', 'limit :limit\nfor update skip locked;', 'limit :limit;')],
    caughtBy: caughtBy('concurrency: two consumers that reserve 7 at a time never share a delivery'),
  },
  'mariadb promotes without locks': {
    patches: [statement('pick-due', 'limit :limit\nfor update skip locked;', 'limit :limit;')],
    caughtBy: caughtWhileHeld(
      'is left to it where a delay ended: the promoter does not bring it back again',
      'is left to it where a lease ended: the promoter does not bring it back again',
    ),
  },
  'mariadb settles what it read without a lock': {
    patches: [statement('pick-held', ' for update', '')],
    caughtBy: caughtWhileHeld(
      'is no longer settled by ack',
      'is no longer settled by release',
      'is no longer settled by defer',
      'is no longer settled by fail',
      'is no longer settled by extend',
    ),
  },
  'mariadb retries a failed job that another retries': {
    patches: [statement('lock-failed', ' for update', '')],
    caughtBy: caughtWhileHeld('is not retried a second time'),
  },
  'mariadb counts the transitions of a retried job from the start': {
    patches: [
      statement(
        'retry-failed',
        'case when serial between 0 and 9007199254740990 then serial + 1 else serial end, 0, 0, 0',
        '0, 0, 0, 0',
      ),
    ],
    caughtBy: caughtBy('failed: a retry starts over with the same job'),
  },
};
