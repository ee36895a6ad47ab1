import { MYSQL_STATEMENTS } from '../../../lib/backends/sql/mysql-statements.generated.js';
import { type Backlog, MOST_ROWS } from './backlog.js';
import { HELD, type PlanValue, type PlanValues, VALUES } from './plan-values.js';

type StatementName = keyof typeof MYSQL_STATEMENTS;

/** Rows that one promotion brings back at most: 500 that were delayed, 500 whose lease ended. */
const PROMOTED = Array.from({ length: 1_000 }, (_, index) => index * 200 + 1);

const given = (values: object): PlanValues => ({
  given: JSON.stringify(HELD.map((seq) => ({ seq, ...values }))),
});

/** The statements whose cost must not grow with the backlog, with the values that differ from the common ones. */
export const MYSQL_PLANS: { readonly [Name in StatementName]?: PlanValues } = {
  probe: {},
  pickDue: { limit: 500 },
  promote: { seqs: PROMOTED },
  pickReady: {},
  reserve: { seqs: HELD },
  pickHeld: { seqs: HELD },
  remove: { seq: 100, token: 't100' },
  removeAll: { seqs: HELD },
  stored: { ids: HELD.map((seq) => `id${seq}`) },
  return: given({ state: 1, delayMs: 1_000, attempts: 1, deferrals: null, graceRounds: null, rank: null }),
  extend: given({ ms: 90_000 }),
  fail: given({ freshId: 'fresh', cause: 'error', error: 'Error', message: '', stack: null }),
  clearReady: { limit: 1_000 },
  clearDelayed: { limit: 1_000 },
  pruneOldFailed: { limit: 500 },
  lastKept: { offset: 7_000 },
  pruneManyFailed: { seq: 5_000, limit: 500 },
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
  removeJob: {},
  promoteJob: {},
};

interface TableNode {
  readonly table_name: string;
  readonly access_type: string;
  readonly table_function?: string;
  readonly r_rows?: number | null;
  readonly r_loops?: number;
}

/** Runs a statement, undone, and says what of its plan grows with the backlog. */
export async function growsOnMysql(backlog: Backlog, name: StatementName): Promise<string[]> {
  const { sql, names } = MYSQL_STATEMENTS[name];
  const values: PlanValues = { ...VALUES, ...MYSQL_PLANS[name] };
  let place = 0;
  const text = sql.replaceAll('?', () => literal(values[names[place++] ?? ''] ?? null));
  const [row] = await backlog.undone(() => backlog.all(`analyze format=json ${text}`));
  return growing(JSON.parse((row as { ANALYZE: string }).ANALYZE));
}

function literal(value: PlanValue): string {
  if (value === null || typeof value === 'number') return String(value);
  return typeof value === 'string' ? `'${value}'` : value.map(literal).join(', ');
}

function growing(plan: unknown): string[] {
  const tables = found<TableNode>(plan, (node) => 'table_name' in node);
  const stored = tables.filter((table) => table.table_function === undefined);
  const walks = stored.filter(({ access_type }) => access_type === 'ALL');
  // Beside a list that the statement was given, rows are put in the order of that list's.
  const sorts = stored.length < tables.length ? [] : found(plan, (node) => 'filesort' in node);
  const rows = rowsRead(stored);
  return [
    ...walks.map(({ table_name }) => `a scan of ${table_name}`),
    ...sorts.map(() => 'a sort'),
    ...(rows > MOST_ROWS ? [`${rows} rows read`] : []),
  ];
}

function rowsRead(tables: readonly TableNode[]): number {
  return tables.reduce((sum, { r_rows, r_loops }) => sum + (r_rows ?? 0) * (r_loops ?? 0), 0);
}

/** All objects within the plan that are so. */
function found<T = object>(plan: unknown, isSo: (node: object) => boolean): T[] {
  if (typeof plan !== 'object' || plan === null) return [];
  const within = Object.values(plan).flatMap((part) => found<T>(part, isSo));
  return isSo(plan) ? [plan as T, ...within] : within;
}
