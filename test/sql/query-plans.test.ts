import { describe, expect, it } from 'vitest';
import { SQLITE_STATEMENTS } from '../../lib/backends/sql/sqlite-statements.generated.js';
import { migrated, newJob } from '../support/sql-files.js';

type StatementName = keyof typeof SQLITE_STATEMENTS;

async function planOf(name: StatementName, analyzed: boolean): Promise<string[]> {
  const { backend, orm } = await migrated();
  await backend.store(
    Array.from({ length: 200 }, (_, index) => newJob({ queue: `q${index % 3}`, delaySeconds: index % 2 })),
  );
  const connection = orm.em.getConnection();
  if (analyzed) await connection.execute('analyze');
  const statement = SQLITE_STATEMENTS[name].sql.replaceAll('?', 'null');
  const rows: { detail: string }[] = await connection.execute(`explain query plan ${statement}`);
  return rows.map(({ detail }) => detail);
}

/** Walks that grow with the number of jobs, and sorts of them. */
const GROWS = /SCAN kinetis_queue_jobs|SCAN jobs|TEMP B-TREE/;

const constantCost: StatementName[] = [
  'insert',
  'probe',
  'promote',
  'reserve',
  'remove',
  'return',
  'extend',
  'clearReady',
  'clearDelayed',
  'fail',
  'pruneOldFailed',
  'pruneManyFailed',
  'listFailed',
  'listFailedOfQueue',
  'findFailed',
  'retryFailed',
  'removeFailed',
  'forgetFailed',
  'flushFailedOfQueue',
  'findJob',
  'removeJob',
  'promoteJob',
];

describe('the plans of the statements on SQLite', () => {
  it.each(constantCost.flatMap((name) => [false, true].map((analyzed) => ({ name, analyzed }))))(
    '$name walks no backlog and sorts nothing (statistics: $analyzed)',
    async ({ name, analyzed }) => {
      const plan = await planOf(name, analyzed);
      expect(plan.filter((step) => GROWS.test(step))).toEqual([]);
    },
  );

  it('reserve reads the ready jobs of one queue in the order of an index', async () => {
    expect(await planOf('reserve', false)).toContainEqual(
      'SEARCH kinetis_queue_jobs USING COVERING INDEX kinetis_queue_jobs_ready (queue=?)',
    );
  });

  it('count and queues read indexes alone', async () => {
    const plan = [...(await planOf('count', true)), ...(await planOf('queues', true))];
    const onJobs = plan.filter((step) => /^(SEARCH|SCAN) (kinetis_queue_jobs|jobs)\b/.test(step));
    expect(onJobs.length).toBeGreaterThan(0);
    expect(onJobs.filter((step) => !step.includes('USING COVERING INDEX'))).toEqual([]);
  });
});
