import type { SourceMutants } from './mutant.js';

/** What the SQL dialects have in common. */
export const sqlMutants: SourceMutants = {
  'sql lets one delivery be settled twice in a batch': {
    patches: [
      {
        file: 'lib/backends/sql/settle-batches.ts',
        find: 'keysOf: ({ receipt }) => [receipt.key],',
        replace: 'keysOf: () => [],',
      },
    ],
    caughtBy: {
      suite: 'postgresql',
      cases: ['settlement: of two entries of a batch that ack one delivery, one is stale'],
    },
  },
  'sql loses the follow-ups of an ack': {
    patches: [
      {
        file: 'lib/backends/sql/settle-batches.ts',
        find: 'if (due.length > 0) await dialect.insert(session, due);',
        replace: '',
      },
    ],
    caughtBy: {
      suite: 'sqlite',
      cases: ['chain: each job is there when the one before it was acknowledged, and not before'],
    },
  },
  'sql stores the follow-ups of an ack that is stale': {
    patches: [
      {
        file: 'lib/backends/sql/settle-batches.ts',
        find: 'applied[index] === true ? followUpsOf(settlement) : [],',
        replace: 'applied[index] === undefined ? [] : followUpsOf(settlement),',
      },
    ],
    caughtBy: { suite: 'sqlite', cases: ['stale: an ack that is stale stores no follow-ups'] },
  },
  'sql takes a settlement without an answer for applied': {
    patches: [
      {
        file: 'lib/backends/sql/settle-batches.ts',
        find: "return { status: error.code === 'QUEUE_SERVER_REFUSED' ? 'refused' : 'unknown', error };",
        replace:
          "return error.code === 'QUEUE_SERVER_REFUSED' ? { status: 'refused', error } : { status: 'applied' };",
      },
    ],
    caughtBy: {
      suite: 'postgresql',
      cases: ['silence: a release whose request is lost is unknown, and the job comes again'],
    },
  },
  'sql repeats a push whose answer was lost': {
    patches: [
      {
        file: 'lib/backends/sql/store-batches.ts',
        find: 'const [outcomes = []] = await Promise.all(batch.add([jobs]));',
        replace:
          'const [outcomes = []] = await Promise.all(batch.add([jobs])).catch(() => Promise.all(batch.add([jobs])));',
      },
    ],
    caughtBy: {
      suite: 'postgresql',
      cases: ['silence: a push whose answer is lost rejects, and never as if nothing had been sent'],
    },
  },
};
