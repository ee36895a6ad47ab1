export { sql } from './backends/sql/sql.js';
export type { SqlOptions } from './backends/sql/sql.options.js';
export type {
  SqlConnectionOptions,
  SqliteConnectionOptions,
  SqlServerConnectionOptions,
} from './backends/sql/sql-connection.options.js';
export type { EntityManagerLike, MikroOrmLike } from './backends/sql/executor/mikro-orm.js';
export { kinetisQueueMigrations } from './backends/sql/mikro-orm-migrations.js';
export type { MigrationBase, QueueMigration } from './backends/sql/mikro-orm-migrations.js';
export { migrateSqlQueue } from './backends/sql/migrate.js';
export type { MigrateSqlQueueOptions } from './backends/sql/migrate.js';
export { kinetisQueueSql } from './backends/sql/migrations.js';
export type { SqlDialectName, SqlMigration } from './backends/sql/migrations.js';
