import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backlog, openBacklog } from '../support/plans/backlog.js';
import { growsOnMysql, MYSQL_PLANS } from '../support/plans/mysql-plans.js';
import { growsOnPostgresql, POSTGRESQL_PLANS } from '../support/plans/postgresql-plans.js';
import { isTested } from '../support/servers.js';

const namesOf = <Plans extends object>(plans: Plans): (keyof Plans)[] =>
  Object.keys(plans) as (keyof Plans)[];

describe.runIf(isTested('postgres'))('the plans of the statements on PostgreSQL', () => {
  let backlog: Backlog;
  beforeAll(async () => {
    backlog = await openBacklog('postgresql');
  });
  afterAll(() => backlog.close());

  const modes = ['force_generic_plan', 'force_custom_plan'];
  const cases = modes.flatMap((mode) => namesOf(POSTGRESQL_PLANS).map((name) => ({ mode, name })));

  it.each(cases)('$name: no backlog is walked or sorted ($mode, no statistics)', async ({ mode, name }) => {
    expect(await growsOnPostgresql(backlog, name, mode)).toEqual([]);
  });

  describe('with statistics', () => {
    beforeAll(async () => {
      await backlog.all('vacuum analyze');
    });

    it.each(cases)('$name: no backlog is walked or sorted ($mode)', async ({ mode, name }) => {
      expect(await growsOnPostgresql(backlog, name, mode)).toEqual([]);
    });
  });

  it.each([
    { name: 'reserve', index: 'kinetis_queue_jobs_ready' },
    { name: 'promote', index: 'kinetis_queue_jobs_due' },
  ] as const)('$name without its index is found out', async ({ name, index }) => {
    const [{ definition }] = (await backlog.all(
      `select pg_get_indexdef('${index}'::regclass) as definition`,
    )) as [{ definition: string }];
    await backlog.all(`drop index ${index}`);
    const grows = await growsOnPostgresql(backlog, name, 'force_generic_plan');
    await backlog.all(definition);
    expect(grows).not.toEqual([]);
  });
});

describe.runIf(isTested('mariadb'))('the plans of the statements on MariaDB', () => {
  let backlog: Backlog;
  beforeAll(async () => {
    backlog = await openBacklog('mariadb');
  });
  afterAll(() => backlog.close());

  const cases = namesOf(MYSQL_PLANS).map((name) => ({ name }));

  it.each(cases)('$name: no backlog is walked or sorted (no statistics)', async ({ name }) => {
    expect(await growsOnMysql(backlog, name)).toEqual([]);
  });

  describe('with statistics', () => {
    beforeAll(async () => {
      await backlog.all('analyze table kinetis_queue_jobs, kinetis_queue_failed_jobs');
    });

    it.each([...cases, { name: 'queues' as const }])(
      '$name: no backlog is walked or sorted',
      async ({ name }) => {
        expect(await growsOnMysql(backlog, name)).toEqual([]);
      },
    );
  });

  it.each([
    { name: 'pickReady', index: 'kinetis_queue_jobs_ready' },
    { name: 'pickDue', index: 'kinetis_queue_jobs_due' },
  ] as const)('$name without its index is found out', async ({ name, index }) => {
    await backlog.all(`alter table kinetis_queue_jobs alter index ${index} ignored`);
    const grows = await growsOnMysql(backlog, name);
    await backlog.all(`alter table kinetis_queue_jobs alter index ${index} not ignored`);
    expect(grows).not.toEqual([]);
  });
});
