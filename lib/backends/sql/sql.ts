import type { BackendFactory } from '../../contract/index.js';
import { databaseSource } from './database-source.js';
import { ShortestLease } from './shortest-lease.js';
import { SqlBackend } from './sql.backend.js';
import { SqlGate } from './sql-gate.js';
import { SqlSchema } from './sql-schema.js';
import { sqlSettings, type SqlOptions } from './sql.options.js';

/**
 * Jobs in a table of a SQL database, reached through MikroORM: the application's own, or one on a file of the queue's
 * own. The tables come from `migrateSqlQueue()`, `kinetisQueueMigrations()` or the files in migrations/.
 *
 * SQLite: statements go over the connection that the application's MikroORM has. Give it WAL mode
 * (`pragma journal_mode = wal`) where several processes use the file; the queue leaves that setting alone unless the
 * connection is its own. A pushed job outlives its process; with `synchronous = normal`, which a file of the queue's own
 * has, a power cut can take the newest of them along.
 *
 * Throws `QueueConfigurationException` for an option that cannot be used; the factory rejects with
 * `QueueUnavailableException` when MikroORM is not installed.
 *
 * @publicApi
 */
export function sql(options: SqlOptions = {}): BackendFactory {
  const settings = sqlSettings(options);
  return async (context) => {
    const lease = new ShortestLease(settings.leaseSeconds);
    const source = await databaseSource(settings, context);
    const gate = new SqlGate({ source, lease, acquireTimeoutMs: settings.acquireTimeoutMs });
    const warn = (message: string): void => context.warn(message);
    const schema = new SqlSchema(settings, gate, context);
    return new SqlBackend({ settings, gate, schema, warn });
  };
}
