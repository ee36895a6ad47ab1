import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConnectionDirectory, Queue, QueueConnection } from '../../lib/queue/index.js';
import { migrateSqlQueue, sql } from '../../lib/sql.js';
import { bareContext } from './bare-context.js';

export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'kinetis-queue-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A queue over a SQLite file, as an application would inject it, without the application. */
export async function openSqliteQueue(
  file: string,
  leaseSeconds: number,
): Promise<{ queue: Queue; close(): Promise<void> }> {
  const connectionOptions = { driver: 'sqlite', file } as const;
  await migrateSqlQueue(connectionOptions);
  const backend = await sql({ connection: connectionOptions, leaseSeconds })(bareContext());
  const directory = new ConnectionDirectory();
  const reporter = { warn: () => {}, error: () => {} };
  const connection = new QueueConnection({ name: 'default', backend, reporter });
  directory.add(connection);
  return { queue: new Queue(connection, directory), close: () => backend.close() };
}
