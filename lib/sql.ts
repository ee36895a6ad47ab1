export { sql } from './backends/sql/sql.js';
export type { SqlConnectionOptions, SqlOptions } from './backends/sql/sql.options.js';
export type { EntityManagerLike, MikroOrmLike } from './backends/sql/executor/mikro-orm.js';
export { kinetisQueueMigrations } from './backends/sql/mikro-orm-migrations.js';
export type { MigrationBase, QueueMigration } from './backends/sql/mikro-orm-migrations.js';
export { migrateSqlQueue } from './backends/sql/migrate.js';
export type { MigrateSqlQueueOptions } from './backends/sql/migrate.js';
export { kinetisQueueSql } from './backends/sql/migrations.js';
export type { SqlDialectName, SqlMigration } from './backends/sql/migrations.js';
