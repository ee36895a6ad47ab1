import { postgresqlDialect } from '../../../lib/backends/sql/dialects/postgresql.dialect.js';
import type { SqlValue } from '../../../lib/backends/sql/executor/sql-executor.js';
import { POSTGRESQL_STATEMENTS } from '../../../lib/backends/sql/postgresql-statements.generated.js';
import { newJob } from '../sql-files.js';
import { type Backlog, MOST_ROWS } from './backlog.js';
import { forEach, HELD, type PlanValue, type PlanValues, VALUES } from './plan-values.js';

type StatementName = keyof typeof POSTGRESQL_STATEMENTS;

const held = { seq: HELD, token: HELD.map((seq) => `t${seq}`) };

/** The statements whose cost must not grow with the backlog, with the values that differ from the common ones. */
export const POSTGRESQL_PLANS: { readonly [Name in StatementName]?: PlanValues } = {
  probe: {},
  promote: { limit: 500 },
  reserve: {},
  insert: {},
  insertKeyless: {},
  remove: held,
  next: { seq: HELD, tokens: held.token },
  return: {
    ...held,
    state: forEach(1),
    delayMs: forEach(1_000),
    attempts: forEach(1),
    deferrals: forEach(null),
    graceRounds: forEach(null),
    rank: forEach(null),
  },
  extend: { ...held, ms: forEach(90_000) },
  fail: {
    ...held,
    cause: forEach('error'),
    error: forEach('Error'),
    message: forEach(''),
    stack: forEach(null),
  },
  clearReady: { limit: 1_000 },
  clearDelayed: { limit: 1_000 },
  pruneOldFailed: { limit: 500 },
  pruneManyFailed: { limit: 500, maxCount: 7_000 },
  listFailed: { seq: 20_000 },
  listFailedOfQueue: { seq: 20_000 },
  findFailed: { id: 'failed7777' },
  lockFailed: { seq: 7_777 },
  retryFailed: { seq: 7_777 },
  removeFailed: { seq: 7_777 },
  forgetFailed: { id: 'failed7777' },
  flushFailed: { limit: 500 },
  flushFailedOfQueue: { limit: 500 },
  findJob: {},
  queues: {},
  removeJob: {},
  promoteJob: {},
};

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

const INSERTS: readonly StatementName[] = ['insert', 'insertKeyless'];

/** Runs a prepared statement, undone, and says what of its plan grows with the backlog. `mode`: a plan_cache_mode. */
export async function growsOnPostgresql(
  backlog: Backlog,
  name: StatementName,
  mode: string,
): Promise<string[]> {
  const { sql, names } = POSTGRESQL_STATEMENTS[name];
  const values: PlanValues = { ...VALUES, ...POSTGRESQL_PLANS[name] };
  const placed = INSERTS.includes(name)
    ? await insertValues(name)
    : names.map((value) => values[value] ?? null);
  const given = placed.length === 0 ? '' : ` (${placed.map(literal).join(', ')})`;
  await backlog.all(`set plan_cache_mode = ${mode}`);
  await backlog.all(`prepare explained as ${sql}`);
  try {
    return await backlog.undone(async () => {
      const [row] = await backlog.all(`explain (analyze, format json) execute explained${given}`);
      const [{ Plan: plan }] = (row as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'];
      return growing(plan);
    });
  } finally {
    await backlog.all('deallocate explained');
  }
}

/** What the dialect gives its insert statement for a hundred jobs: how it packs them is its own affair. */
async function insertValues(name: StatementName): Promise<readonly PlanValue[]> {
  const given: (readonly SqlValue[])[] = [];
  const session = {
    run: () => Promise.resolve(0),
    all(_: string, values: readonly SqlValue[] = []) {
      given.push(values);
      return Promise.resolve([]);
    },
    atomically: <T>(work: () => Promise<T>) => work(),
  };
  const dialect = postgresqlDialect({ prefix: 'kinetis_queue_', schema: null }, null);
  await dialect.insert(
    session,
    forEach(null).map((_, index) =>
      newJob({ uniqueKey: name === 'insert' ? String(index).padStart(64, '0') : null }),
    ),
    ['mail'],
  );
  return (given[0] ?? []) as readonly PlanValue[];
}

function literal(value: PlanValue): string {
  if (value === null || typeof value === 'number') return String(value);
  if (typeof value === 'string') return `'${value}'`;
  return `'{${value.map((item) => (typeof item === 'string' ? JSON.stringify(item) : String(item))).join(',')}}'`;
}

function growing(plan: PlanNode): string[] {
  const nodes = nodesOf(plan);
  const scans = nodes.filter((node) => node['Node Type'] === 'Seq Scan' && isOfBacklog(node));
  const sorts = nodes.filter((node) => /Sort/.test(node['Node Type']) && sortsMuch(node));
  const rows = nodes.filter(isOfBacklog).reduce((sum, node) => sum + rowsRead(node), 0);
  return [
    ...scans.map((node) => `a scan of ${node['Relation Name']}`),
    ...sorts.map(() => 'a sort of what was read from a table'),
    ...(rows > MOST_ROWS ? [`${rows} rows read`] : []),
  ];
}

/** More rows than a batch has, read from a table: to sort the names of queues, or what a statement was given, is no harm. */
function sortsMuch(node: PlanNode): boolean {
  const [sorted] = node.Plans ?? [];
  return (sorted?.['Actual Rows'] ?? 0) > HELD.length && nodesOf(node).some(isOfBacklog);
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

function isOfBacklog(node: PlanNode): boolean {
  return (node['Relation Name'] ?? '').endsWith('_jobs') && node['Node Type'] !== 'ModifyTable';
}

function rowsRead(node: PlanNode): number {
  const dropped = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return (node['Actual Rows'] + dropped) * node['Actual Loops'];
}
