import type { SourceMutants, SourcePatch } from './mutant.js';

function statement(name: string, find: string, replace: string): SourcePatch {
  return { file: `lib/backends/sql/dialects/postgresql/${name}.sql`, find, replace };
}

/** By the row alone: whoever holds it by now. */
const withoutToken = (name: string): SourcePatch => statement(name, ' and jobs.token = given.token', '');

function caughtBy(title: string): SourceMutants[string]['caughtBy'] {
  return { suite: 'postgresql', cases: [title] };
}

/** Tests that hold a row in another session while the queue's step runs. */
function caughtWhileHeld(...tests: [string, ...string[]]): SourceMutants[string]['caughtBy'] {
  return { file: 'test/sql/taken-meanwhile.test.ts', backend: 'postgres', tests };
}

function ackedWithReserve(test: string): SourceMutants[string]['caughtBy'] {
  return { file: 'test/sql/ack-with-reserve.test.ts', backend: 'postgres', tests: [test] };
}

export const postgresqlMutants: SourceMutants = {
  'postgresql ignores the token of an ack': {
    patches: [withoutToken('remove')],
    caughtBy: caughtBy('stale: ack after a reclaim is stale and changes nothing'),
  },
  'postgresql ignores the token of an ack that goes with a reserve': {
    patches: [withoutToken('next')],
    caughtBy: ackedWithReserve('are answered each for itself'),
  },
  'postgresql waits for what another reserve has in hand': {
    patches: [statement('next', '    for update of waiting skip locked\n', '')],
    caughtBy: caughtWhileHeld('is passed over by a reserve that is asked for together with an ack'),
  },
  'sql lets acks overtake a release': {
    patches: [
      {
        file: 'lib/backends/sql/settle-batches.ts',
        find: 'while (others.size > 0) await Promise.all(others);',
        replace: '',
      },
    ],
    caughtBy: ackedWithReserve('do not take a release along, and the reserve comes behind it'),
  },
  'postgresql keeps the plans that it made for empty tables': {
    patches: [
      {
        file: 'lib/backends/sql/executor/pooled/pg.driver.ts',
        find: "...(prepare ? { forgetPlans: 'discard plans' } : {}),",
        replace: '',
      },
    ],
    caughtBy: {
      file: 'test/sql/plans-made-early.test.ts',
      backend: 'postgres',
      tests: [
        'soon reads no table from end to end when there is a backlog of which the server has no statistics yet',
      ],
    },
  },
  'postgresql ignores the token of a release': {
    patches: [withoutToken('return')],
    caughtBy: caughtBy('stale: release after a reclaim is stale and changes nothing'),
  },
  'postgresql ignores the token of a failure': {
    patches: [withoutToken('fail')],
    caughtBy: caughtBy('stale: fail after a reclaim is stale and changes nothing'),
  },
  'postgresql ignores the token of a renewal': {
    patches: [withoutToken('extend')],
    caughtBy: caughtBy('stale: extend after a reclaim is stale and changes nothing'),
  },
  'postgresql keeps the token of a job that it releases': {
    patches: [statement('return', ',\n  token = null\nfrom unnest', '\nfrom unnest')],
    caughtBy: caughtBy('stale: ack does not reach a job that waits again'),
  },
  'postgresql forgets delayed jobs when it promotes': {
    patches: [statement('promote', 'state > 0 and due_at', 'state = 2 and due_at')],
    caughtBy: caughtBy('delays: a delayed job comes when its delay is over, and not before'),
  },
  'postgresql reclaims without counting the attempt': {
    patches: [
      statement(
        'promote',
        'case when state = 2 and attempts between 0 and 9007199254740990 then attempts + 1 else attempts end',
        'attempts',
      ),
    ],
    caughtBy: caughtBy('attempts: a reclaimed lease adds 1 to attempts and 0 to deferrals'),
  },
  'postgresql reserves without locking what it picks': {
    patches: [statement('reserve', '    for update of waiting skip locked\n', '')],
    caughtBy: caughtBy('concurrency: two consumers that reserve 7 at a time never share a delivery'),
  },
  'postgresql promotes without locks': {
    patches: [statement('promote', '    for update skip locked\n', '')],
    caughtBy: caughtWhileHeld(
      'is left to it where a delay ended: the promoter does not bring it back again',
      'is left to it where a lease ended: the promoter does not bring it back again',
    ),
  },
  'postgresql retries a failed job that another retries': {
    patches: [statement('lock-failed', ' for update', '')],
    caughtBy: caughtWhileHeld('is not retried a second time'),
  },
  'postgresql counts the transitions of a retried job from the start': {
    patches: [
      statement(
        'retry-failed',
        'case when serial between 0 and 9007199254740990 then serial + 1 else serial end, 0, 0, 0',
        '0, 0, 0, 0',
      ),
    ],
    caughtBy: caughtBy('failed: a retry starts over with the same job'),
  },
  'postgresql keeps the row of a job that it gives up on': {
    patches: [
      statement(
        'fail',
        'delete from kinetis_queue_jobs as jobs\n    using given',
        'update kinetis_queue_jobs as jobs\n    set state = 0, token = null\n    from given',
      ),
    ],
    caughtBy: caughtBy('settlement: a failed job leaves the queue for good'),
  },
  'postgresql stores a job whose unique key is held': {
    patches: [
      statement(
        'insert',
        'id, queue, state, kinetis_now() + delay_ms, rank, v, serial, attempts, deferrals, grace_rounds, lease_seconds,\n      priority, unique_key, kinetis_now(), body',
        'id, queue, state, kinetis_now() + delay_ms, rank, v, serial, attempts, deferrals, grace_rounds, lease_seconds,\n      priority, null, kinetis_now(), body',
      ),
    ],
    caughtBy: caughtBy('unique: a duplicate of a waiting job is refused with null'),
  },
};
