import type { SqlGate } from './sql-gate.js';
import type { SqlSchema } from './sql-schema.js';
import type { SqlSettings } from './sql.options.js';

/** What the parts of one sql backend share. */
export interface SqlBackendParts {
  readonly settings: SqlSettings;
  readonly gate: SqlGate;
  readonly schema: SqlSchema;
  /** For what the backend has to say about the database that it was given. */
  readonly warn: (message: string) => void;
}
