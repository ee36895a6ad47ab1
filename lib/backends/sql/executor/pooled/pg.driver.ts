import type { Statements } from '../transaction.js';
import type { PooledDriver } from './pooled-driver.js';
import { statementName } from './statement-names.js';

/** A client of pg, as far as it is used here. */
interface PgClient {
  query(query: { text: string; values?: unknown[]; name?: string }): Promise<PgResult | PgResult[]>;
  end(): Promise<void>;
  readonly connection?: { readonly stream?: { destroy(): void } };
}

interface PgResult {
  readonly command: string;
  readonly rowCount: number | null;
  readonly rows: readonly { readonly [column: string]: unknown }[];
}

/** PostgreSQL through pg. `prepare` keeps statements with values prepared on each connection. */
export function pgDriver({ prepare }: { readonly prepare: boolean }): PooledDriver {
  return {
    begin: 'begin isolation level read committed',
    // The server's start, to the microsecond, tells servers apart; the port those that were started together.
    identity:
      `select current_database() as a, extract(epoch from pg_postmaster_start_time())::text as b, ` +
      `current_setting('port') as c`,
    statements: (raw) => pgStatements(raw as PgClient, prepare),
    setUp: () => Promise.resolve(),
    ...(prepare ? { forgetPlans: 'discard plans' } : {}),
    endsConnection,
    hangUp(raw) {
      // `end()` would say goodbye and wait for an answer.
      (raw as PgClient).connection?.stream?.destroy();
      (raw as PgClient).end().catch(() => undefined);
    },
  };
}

function pgStatements(client: PgClient, prepare: boolean): Statements {
  const query = async (text: string, values: readonly unknown[] = []): Promise<PgResult> => {
    if (values.length === 0) return last(await client.query({ text }));
    const name = prepare ? statementName(text) : undefined;
    return last(await client.query({ text, values: [...values], ...(name === undefined ? {} : { name }) }));
  };
  return {
    async run(sql, values) {
      const result = await query(sql, values);
      // PostgreSQL answers the commit of a transaction in which something failed with a rollback, not with an error.
      if (sql === 'commit' && result.command === 'ROLLBACK') {
        throw new Error('The transaction was rolled back, because a statement in it had failed.');
      }
      return result.rowCount ?? 0;
    },
    async all(sql, values) {
      return (await query(sql, values)).rows;
    },
  };
}

function last(result: PgResult | PgResult[]): PgResult {
  if (!Array.isArray(result)) return result;
  return result.at(-1) ?? { command: '', rowCount: 0, rows: [] };
}

/**
 * Errors of the server have an SQLSTATE, those of the transport have none. Class 08 and 57P are the end of a connection.
 * 0A000 and 26000 are said of a prepared statement that a migration or a proxy took away: a new connection has it again.
 */
function endsConnection(error: unknown): boolean {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return true;
  return /^(08|57P|0A000$|26000$)/.test(String(error.code));
}
