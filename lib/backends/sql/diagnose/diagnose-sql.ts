import { clockFinding, type Finding, SchemaOutdatedException } from '../../../contract/index.js';
import { translateError } from '../server-errors.js';
import type { SqlBackendParts } from '../sql-backend-parts.js';
import type { Work } from '../sql-gate.js';
import { StatementFailed } from '../statement-failed.js';
import type { GrantProbe, GrantRole } from './grant-probes.js';

const ROLES: readonly GrantRole[] = ['push', 'work', 'operate'];

/** Looks at the tables, at what the user may do, at settings and clocks. */
export async function diagnoseSql(parts: SqlBackendParts): Promise<readonly Finding[]> {
  try {
    const schema = await schemaFinding(parts);
    if (schema.level === 'problem') return [schema];
    return [schema, await grantsFinding(parts), ...(await settings(parts)), await clock(parts)];
  } catch (error) {
    throw translateError(error, 'diagnose()');
  }
}

async function schemaFinding({ schema }: SqlBackendParts): Promise<Finding> {
  const { present, needed } = await schema.state();
  const what = present === 0 ? 'there are no tables' : `the tables are of version ${present}`;
  return present < needed
    ? {
        topic: 'schema',
        level: 'problem',
        message: `${what}; this code needs version ${needed}`,
        mend: 'npx kinetis-queue migrate',
      }
    : { topic: 'schema', level: 'ok', message: `${what}; this code needs ${needed}`, mend: null };
}

async function grantsFinding({ gate, settings: { tables } }: SqlBackendParts): Promise<Finding> {
  const refused: GrantProbe[] = [];
  const { dialect } = await gate.database();
  for (const grant of dialect.grants) {
    if (!(await mayDo(gate.session((session) => grant.probe(session))))) refused.push(grant);
  }
  const may = ROLES.filter((role) => !refused.some((probe) => probe.role === role));
  const what = `the user may ${may.length === 0 ? 'do nothing of what a queue needs' : may.join(', ')}`;
  if (refused.length === 0) return { topic: 'grants', level: 'ok', message: what, mend: null };
  return {
    topic: 'grants',
    level: may.length === 0 ? 'problem' : 'warning',
    message: `${what}; it lacks ${lackOf(refused, tables.prefix)}`,
    mend: 'grant what docs/sql.md lists for its role; if it is meant to do no more, this is as it should be',
  };
}

/** "insert, delete on kinetis_queue_jobs; …". */
function lackOf(refused: readonly GrantProbe[], prefix: string): string {
  const rights = new Map<string, string[]>();
  for (const { right, table } of refused) rights.set(table, [...(rights.get(table) ?? []), right]);
  return [...rights].map(([table, of]) => `${of.join(', ')} on ${prefix}${table}`).join('; ');
}

/** Whether the database lets the user do it; a file that may only be read refuses in its own way. */
async function mayDo(probe: Promise<unknown>): Promise<boolean> {
  try {
    await probe;
    return true;
  } catch (error) {
    if (error instanceof StatementFailed && ['forbidden', 'refused'].includes(error.kind)) return false;
    // A user that may not even see the tables is told that they are not there.
    if (error instanceof StatementFailed && error.kind === 'schema') return false;
    throw error instanceof SchemaOutdatedException ? error : translateError(error, 'diagnose()');
  }
}

async function settings({ gate }: SqlBackendParts): Promise<readonly Finding[]> {
  const advice: Work<string | null> = (session, dialect) => dialect.advice(session);
  const durability: Work<readonly Finding[]> = (session, dialect) => dialect.durability(session);
  const message = await gate.session(advice);
  const durable = await gate.session(durability);
  if (message === null) return durable;
  const [what = message, mend = null] = message.split(/\. (?=Run )/);
  return [{ topic: 'settings', level: 'warning', message: what, mend }, ...durable];
}

async function clock({ gate }: SqlBackendParts): Promise<Finding> {
  const before = Date.now();
  const serverMs = await gate.session((session, dialect) => dialect.now(session));
  return clockFinding(serverMs, before, Date.now());
}
