import { type BackendContext, SchemaOutdatedException, type SchemaState } from '../../contract/index.js';
import { databaseSource, ownSource } from './database-source.js';
import { migrateTables, MIGRATION_SETTINGS, pendingMigrations } from './migrate.js';
import { SCHEMA_VERSION } from './migrations.js';
import { translateError } from './server-errors.js';
import type { DatabaseSource } from './sql-database.js';
import type { SqlGate } from './sql-gate.js';
import type { SqlSettings } from './sql.options.js';

/** The tables of a backend, for whoever looks after them. */
export class SqlSchema {
  constructor(
    private readonly settings: SqlSettings,
    private readonly gate: SqlGate,
    private readonly context: BackendContext,
  ) {}

  async state(): Promise<SchemaState> {
    const { present, name } = await this.found();
    const pending = pendingMigrations({ name }, this.settings, present);
    return { present, needed: SCHEMA_VERSION, statements: pending.flatMap(({ statements }) => statements) };
  }

  async migrate(): Promise<number> {
    const settings = { ...this.settings, ...MIGRATION_SETTINGS };
    return migrateTables(settings, await this.source(settings));
  }

  private async found() {
    try {
      return await this.gate.session(async (session, dialect) => ({
        present: await dialect.presentVersion(session),
        name: dialect.name,
      }));
    } catch (error) {
      // A file that only a migration makes.
      if (error instanceof SchemaOutdatedException) return { present: 0, name: 'sqlite' as const };
      throw translateError(error, 'schemaState()');
    }
  }

  private source(settings: SqlSettings): Promise<DatabaseSource> {
    const { source } = settings;
    if (source.kind === 'own') return ownSource(settings, source.connection, true);
    return databaseSource(settings, this.context);
  }
}
