import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MikroORM } from '@mikro-orm/better-sqlite';
import { Migrator } from '@mikro-orm/migrations';
import { Registration } from '../registrations/registration.entity.js';
import { migrations } from './migrations.js';

/**
 * Opens the SQLite file that holds the sample's own table and the queue's. Write-ahead logging lets the web application
 * and the worker, two processes, read while the other one writes.
 */
export async function openDatabase(file: string): Promise<MikroORM> {
  await mkdir(dirname(file), { recursive: true });
  const orm = await MikroORM.init({
    dbName: file,
    entities: [Registration],
    extensions: [Migrator],
    migrations: { migrationsList: migrations, snapshot: false, silent: true },
  });
  const connection = orm.em.getConnection();
  await connection.execute('pragma journal_mode = wal');
  await connection.execute('pragma synchronous = normal');
  return orm;
}
