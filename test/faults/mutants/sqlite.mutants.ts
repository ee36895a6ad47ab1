import type { SourceMutants, SourcePatch } from './mutant.js';

function statement(name: string, find: string, replace: string): SourcePatch {
  return { file: `lib/backends/sql/dialects/sqlite/${name}.sql`, find, replace };
}

const withoutToken = (name: string): SourcePatch => statement(name, ' and token = :token', '');

function caughtBy(title: string): SourceMutants[string]['caughtBy'] {
  return { suite: 'sqlite', cases: [title] };
}

export const sqliteMutants: SourceMutants = {
  'sqlite ignores the token of an ack': {
    patches: [withoutToken('remove')],
    caughtBy: caughtBy('stale: ack after a reclaim is stale and changes nothing'),
  },
  'sqlite ignores the token of a release': {
    patches: [withoutToken('return')],
    caughtBy: caughtBy('stale: release after a reclaim is stale and changes nothing'),
  },
  'sqlite copies a job to the failed store by a stale failure': {
    patches: [withoutToken('fail')],
    caughtBy: caughtBy('stale: fail after a reclaim is stale and changes nothing'),
  },
  'sqlite ignores the token of a renewal': {
    patches: [withoutToken('extend')],
    caughtBy: caughtBy('stale: extend after a reclaim is stale and changes nothing'),
  },
  'sqlite forgets delayed jobs when it promotes': {
    patches: [statement('promote', 'state > 0 and due_at', 'state = 2 and due_at')],
    caughtBy: caughtBy('delays: a delayed job comes when its delay is over, and not before'),
  },
  'sqlite reclaims without counting the attempt': {
    patches: [
      statement(
        'promote',
        "iif(state = 2 and typeof(attempts) = 'integer' and attempts >= 0, attempts + 1, attempts)",
        'attempts',
      ),
    ],
    caughtBy: caughtBy('attempts: a reclaimed lease adds 1 to attempts and 0 to deferrals'),
  },
  'sqlite hands out what is reserved': {
    patches: [statement('reserve', '  state = 2,\n', '  state = 0,\n')],
    caughtBy: {
      suite: 'sqlite',
      cases: ['leases: a reserved job is nobody else’s until its lease ends'],
      control: 'settlement: an acknowledged job is gone for good',
    },
  },
  'sqlite promotes what it saw due before it had the lock': {
    patches: [
      statement('promote', ' and due_at <= kinetis_now()', ''),
      {
        file: 'lib/backends/sql/dialects/sqlite.dialect.ts',
        find: "if (probe?.['due'] === 1) await run(session, sql.promote, { queue, limit: PROMOTION_BATCH_SIZE });",
        replace:
          "if (probe?.['due'] === 1) {\n    for (;;) {\n      try {\n        await run(session, sql.promote, { queue, limit: PROMOTION_BATCH_SIZE });\n        break;\n      } catch {\n        await new Promise((resolve) => setTimeout(resolve, 1));\n      }\n    }\n  }",
      },
    ],
    caughtBy: {
      file: 'test/sql/taken-meanwhile-sqlite.test.ts',
      tests: [
        'is left to it where a delay ended: the promoter does not bring it back again',
        'is left to it where a lease ended: the promoter does not bring it back again',
      ],
    },
  },
};
