import { MikroORM } from '@mikro-orm/better-sqlite';
import { migrateSqlQueue } from '@kinetis/nestjs-queue/sql';

export async function openOrm(file: string): Promise<MikroORM> {
  const orm = await MikroORM.init({
    dbName: file,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    // Without it a schema diff drops the queue's tables, for no entity has them.
    schemaGenerator: { skipTables: [/^kinetis_queue_/] },
  });
  // The queue leaves this to whoever owns the connection; web application and worker are two processes on one file.
  await orm.em.getConnection().execute('pragma journal_mode = wal');
  await migrateSqlQueue(orm);
  return orm;
}
