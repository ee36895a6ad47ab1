import type { SqlSession } from '../executor/sql-executor.js';
import { all, run, type Statement } from '../dialects/statement.js';

/** What a user is for, as docs/sql.md has the roles. */
export type GrantRole = 'push' | 'work' | 'operate';

/** Statements that touch no row, and that the database refuses to a user who may not do the like. */
export interface GrantProbe {
  readonly role: GrantRole;
  /** What it needs, as GRANT says it. */
  readonly right: 'select' | 'insert' | 'update' | 'delete';
  /** The table's name without its prefix. */
  readonly table: string;
  probe(session: SqlSession): Promise<unknown>;
}

const PROBES = [
  ['push', 'insert', 'jobs', 'mayInsertJob'],
  ['work', 'select', 'jobs', 'mayReadJob'],
  ['work', 'update', 'jobs', 'mayUpdateJob'],
  ['work', 'delete', 'jobs', 'mayDeleteJob'],
  ['work', 'insert', 'failed_jobs', 'mayInsertFailed'],
  ['work', 'delete', 'failed_jobs', 'mayDeleteFailed'],
  ['work', 'select', 'paused_queues', 'mayReadPaused'],
  ['operate', 'insert', 'paused_queues', 'mayInsertPaused'],
  ['operate', 'delete', 'paused_queues', 'mayDeletePaused'],
] as const;

export type GrantStatement = (typeof PROBES)[number][3];

export function grantProbes(sql: { readonly [Name in GrantStatement]: Statement }): readonly GrantProbe[] {
  return PROBES.map(([role, right, table, name]) => ({
    role,
    right,
    table,
    probe: (session) => (right === 'select' ? all(session, sql[name]) : run(session, sql[name])),
  }));
}
