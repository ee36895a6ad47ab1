import { migrateSqlQueue } from '@kinetis/nestjs-queue/sql';

const file = process.env['QUEUE_FILE'];
if (file === undefined) throw new Error('Set QUEUE_FILE to the path of the SQLite file.');
await migrateSqlQueue({ driver: 'sqlite', file });
