import { QueueConfigurationException } from '../../contract/index.js';
import { mysqlDialect } from './dialects/mysql.dialect.js';
import { postgresqlDialect } from './dialects/postgresql.dialect.js';
import { sqliteDialect } from './dialects/sqlite.dialect.js';
import { openPooled } from './executor/pooled/open-pooled.js';
import { sqliteExecutor } from './executor/sqlite-executor.js';
import type { OwnOrmLease } from './own-orm.js';
import type { SqlDatabase } from './sql-database.js';
import type { SqlSettings } from './sql.options.js';

/** What `orm` talks to, in the dialect of that database. Closing it calls `release`. */
export async function openDatabase(
  { tables, failedJobs, poolSize, prepareStatements, commandTimeoutMs }: SqlSettings,
  { orm, release, owned }: OwnOrmLease & { readonly owned: boolean },
): Promise<SqlDatabase> {
  const pooled = await openPooled({
    orm,
    own: owned,
    poolSize,
    prepare: prepareStatements,
    commandTimeoutMs,
    close: release,
  });
  if (pooled === null) {
    if (tables.schema !== null) {
      throw new QueueConfigurationException(
        'sql(): schema: expected none on SQLite, whose tables are in its file, came one.',
      );
    }
    return {
      executor: sqliteExecutor({ orm, close: release }),
      dialect: sqliteDialect(tables, failedJobs),
      listen: null,
    };
  }
  const { flavour, executor, listen = null } = pooled;
  const dialect = flavour === 'postgresql' ? postgresqlDialect : mysqlDialect;
  return { executor, dialect: dialect(tables, failedJobs), listen };
}
