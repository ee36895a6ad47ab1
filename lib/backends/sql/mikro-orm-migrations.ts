import { kinetisQueueSql, type SqlDialectName } from './migrations.js';
import { DEFAULT_TABLE_PREFIX } from './tables.js';

interface MigrationLike {
  addSql(sql: string): void;
}

/** The class `Migration` of @mikro-orm/migrations, 6 or 7. */
export type MigrationBase = abstract new (...values: never[]) => MigrationLike;

/**
 * An entry of MikroORM's `migrationsList`.
 *
 * @publicApi
 */
export interface QueueMigration<Base extends MigrationBase> {
  readonly name: string;
  readonly class: new (...values: ConstructorParameters<Base>) => InstanceType<Base>;
}

/**
 * The migrations of the queue's tables for MikroORM's own migrator, beside those of the application:
 * `migrationsList: [...own, ...kinetisQueueMigrations('sqlite', Migration)]`, with `Migration` from
 * @mikro-orm/migrations. They change nothing where the tables are there already.
 *
 * MikroORM takes tables without an entity for removed ones: name them in `schemaGenerator.skipTables`.
 *
 * @publicApi
 */
export function kinetisQueueMigrations<Base extends MigrationBase>(
  dialect: SqlDialectName,
  base: Base,
  tablePrefix: string = DEFAULT_TABLE_PREFIX,
): QueueMigration<Base>[] {
  const suffix = tablePrefix === DEFAULT_TABLE_PREFIX ? '' : `_${tablePrefix}`;
  return kinetisQueueSql(dialect, tablePrefix).map(({ name, statements }) => ({
    name: `${name}${suffix}`,
    class: migrationClass(base, statements),
  }));
}

function migrationClass<Base extends MigrationBase>(
  base: Base,
  statements: readonly string[],
): QueueMigration<Base>['class'] {
  const Concrete = base as MigrationBase as new (...values: unknown[]) => MigrationLike;
  class KinetisQueueMigration extends Concrete {
    up(): void {
      for (const statement of statements) this.addSql(`${statement};`);
    }
  }
  // It extends `base`, which the type of a class made at run time cannot say.
  return KinetisQueueMigration as never;
}
