import type { QueueBackend } from '../../lib/contract/index.js';
import { ConnectionDirectory, Queue, QueueConnection } from '../../lib/queue/index.js';
import { migrateSqlQueue, type SqlServerConnectionOptions } from '../../lib/sql.js';
import { connectionTo, newDatabase, type ServerDriver } from './sql-servers.js';

/** A database of its own with the queue's tables, dropped when the test ends. */
export async function newQueueDatabase(driver: ServerDriver): Promise<SqlServerConnectionOptions> {
  const connection = connectionTo(driver, await newDatabase(driver));
  await migrateSqlQueue(connection);
  return connection;
}

/** A queue over a backend, as an application would inject it, without the application. */
export function queueOver(backend: QueueBackend): Queue {
  const directory = new ConnectionDirectory();
  const reporter = { warn: () => {}, error: () => {} };
  const connection = new QueueConnection({ name: 'default', backend, reporter });
  directory.add(connection);
  return new Queue(connection, directory);
}
