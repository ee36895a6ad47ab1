import type { FailedJobsRetention, RetryOutcome } from '../../../contract/index.js';
import type { SqlSession } from '../executor/sql-executor.js';
import { MYSQL_STATEMENTS } from '../mysql-statements.generated.js';
import { quotedSchema, type TableNames } from '../tables.js';
import { commonDialect } from './common-dialect.js';
import { classifyMysql, isDuplicateKey } from './mysql-errors.js';
import { insertOnMysql } from './mysql-insert.js';
import { reserveOnMysql } from './mysql-reserve.js';
import { settleOnMysql } from './mysql-settle.js';
import { mysqlDurability } from './mysql-durability.js';
import type { SqlDialect } from './sql-dialect.js';
import { all, first, run, type Statement, statementsOn } from './statement.js';

export type MysqlStatements = { readonly [Name in keyof typeof MYSQL_STATEMENTS]: Statement };

/** How long a migration waits for another process that migrates, in seconds. */
const MIGRATION_WAIT_SECONDS = 30;

/**
 * MariaDB from 10.6 and MySQL from 8.0, which has no RETURNING: what is to change is read under a lock first. Without a
 * retention a job that is given up on is removed.
 */
export function mysqlDialect(names: TableNames, retention: FailedJobsRetention | null): SqlDialect {
  const tables = quotedSchema(names, '`');
  const sql: MysqlStatements = statementsOn(MYSQL_STATEMENTS, tables);
  const common = commonDialect(sql);
  const insert = insertOnMysql(sql);
  return {
    name: 'mysql',
    ...common,
    hint: null,
    next: null,
    failed: { ...common.failed, retry: (session, seq) => retryFailed(session, sql, seq) },
    insert,
    reserve: (session, request) => reserveOnMysql(session, sql, request),
    settle: (session, entries) => settleOnMysql(session, sql, entries, retention),
    async presentVersion(session) {
      const found = await first(session, sql.findSchema, {
        schema: names.schema,
        table: `${names.prefix}schema`,
      });
      return found === null ? 0 : common.schemaVersion(session);
    },
    async exclusively(session, work) {
      // The lock is the connection's: statements that change tables end a transaction by themselves.
      const name = `${names.prefix}schema`;
      const lock = await first(session, sql.lockMigration, { name, seconds: MIGRATION_WAIT_SECONDS });
      if (Number(lock?.['held']) !== 1) throw migrationTakesLong();
      try {
        return await work();
      } finally {
        await all(session, sql.unlockMigration, { name });
      }
    },
    preparation: () => null,
    advice: () => Promise.resolve(null),
    durability: async (session) => mysqlDurability(await first(session, sql.durability)),
    classify: classifyMysql,
  };
}

function migrationTakesLong(): Error {
  const message = `Another process has been migrating for ${MIGRATION_WAIT_SECONDS} seconds.`;
  return Object.assign(new Error(message), { errno: 1205, sqlState: 'HY000', code: 'ER_LOCK_WAIT_TIMEOUT' });
}

function retryFailed(session: SqlSession, sql: MysqlStatements, seq: number): Promise<RetryOutcome> {
  return session.atomically(async () => {
    if ((await first(session, sql.lockFailed, { seq })) === null) return 'missing';
    try {
      await run(session, sql.retryFailed, { seq });
    } catch (error) {
      if (isDuplicateKey(error)) return 'duplicate';
      throw error;
    }
    await run(session, sql.removeFailed, { seq });
    return 'retried';
  });
}
