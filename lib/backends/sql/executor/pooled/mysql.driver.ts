import type { Socket } from 'node:net';
import { InvalidQueueArgumentException } from '../../../../contract/index.js';
import type { SqlRow, SqlValue } from '../sql-executor.js';
import type { Statements } from '../transaction.js';
import type { PooledDriver } from './pooled-driver.js';

/** How long a statement waits for a row that another transaction holds, in seconds. */
const LOCK_WAIT_SECONDS = 5;

/** A connection of mysql2, or of mariadb/callback, as far as it is used here. */
interface MysqlConnection {
  query(
    options: object,
    values: unknown[],
    done: (error: Error | null, result: MysqlResult | readonly SqlRow[]) => void,
  ): void;
  destroy(): void;
}

interface MysqlResult {
  readonly affectedRows: number;
}

/** The shape of the answers, whatever the application chose for its own queries. */
const SHAPE = {
  rowsAsArray: false,
  nestTables: false,
  namedPlaceholders: false,
  bigIntAsNumber: true,
  // Not `true`, which mysql2 takes and mariadb calls.
  typeCast: (_column: unknown, cast: () => unknown) => cast(),
};

/** MySQL and MariaDB through mysql2 or mariadb. Both bind an array as the list in `in (?)`. */
export const mysqlDriver: PooledDriver = {
  begin: 'begin',
  identity: 'select database() as a, @@hostname as b, @@port as c, @@datadir as d',
  statements: (raw) => mysqlStatements(raw as MysqlConnection),
  async setUp({ run }) {
    await run('set session transaction isolation level read committed');
    // A definite mode: strict, so that nothing is cut to fit, and with backslash escapes, which mysql2 counts on.
    await run(
      `set session sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION', session innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}`,
    );
  },
  async assertSafe({ all }) {
    const [row] = await all('select @@session.sql_mode as modes');
    if (!String(row?.['modes']).includes('NO_BACKSLASH_ESCAPES')) return;
    throw new InvalidQueueArgumentException(
      'push(): transaction: expected a session without the sql_mode NO_BACKSLASH_ESCAPES, came one with it: the client ' +
        'libraries escape values by backslashes, so that a text could end its literal and become a statement. Take the ' +
        'mode away, or push outside the transaction.',
    );
  },
  endsConnection,
  hangUp,
};

/**
 * mariadb's `destroy()` asks the server, over another connection, to end what this one waits for, and nobody hears when
 * that fails: it would end the process, in the very outage for which a connection is given up. An error of its socket
 * closes it as a lost server does.
 */
function hangUp(raw: object): void {
  const inside = Reflect.get(raw, '__tests') as { getSocket(): Socket | undefined } | undefined;
  const socket = inside?.getSocket();
  if (socket === undefined) (raw as MysqlConnection).destroy();
  else socket.destroy(new Error('The queue gave this connection up.'));
}

function mysqlStatements(connection: MysqlConnection): Statements {
  const query = (sql: string, values: readonly SqlValue[] = []): Promise<MysqlResult | readonly SqlRow[]> =>
    new Promise((resolve, reject) => {
      connection.query({ sql, ...SHAPE }, values.map(bindable), (error, result) => {
        if (error === null || error === undefined) resolve(result);
        else reject(error);
      });
    });
  return {
    async run(sql, values) {
      const result = await query(sql, values);
      return isRows(result) ? result.length : result.affectedRows;
    },
    async all(sql, values) {
      const result = await query(sql, values);
      return isRows(result) ? result : [];
    },
  };
}

function isRows(result: MysqlResult | readonly SqlRow[]): result is readonly SqlRow[] {
  return Array.isArray(result);
}

/** Both drivers know bytes as a Buffer only. */
function bindable(value: SqlValue): unknown {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}

/** Errors of the server have a number and an SQLSTATE. 1053, 1927 and 4031 say that it ends the connection. */
function endsConnection(error: unknown): boolean {
  if (!(error instanceof Error) || !('errno' in error) || !('sqlState' in error)) return true;
  if ('fatal' in error && error.fatal === true) return true;
  const { errno, sqlState } = error;
  if (typeof errno !== 'number' || errno < 1000 || typeof sqlState !== 'string') return true;
  return sqlState.startsWith('08') || errno === 1053 || errno === 1927 || errno === 4031;
}
