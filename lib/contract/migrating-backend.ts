import type { QueueBackend } from './queue-backend.js';

/** How the tables of a store stand to this code. */
export interface SchemaState {
  /** Version of the tables, 0 where there are none. */
  readonly present: number;
  /** The version that this code needs. */
  readonly needed: number;
  /** What brings them there, oldest first; empty where there is nothing to do. */
  readonly statements: readonly string[];
}

/** A backend that keeps its jobs in tables, which it can make. No capability: nothing that an application does needs it. */
export interface MigratingBackend extends QueueBackend {
  schemaState(): Promise<SchemaState>;
  /** Makes the tables, or brings them up to date. May be called again, and by several processes at once. */
  migrate(): Promise<number>;
}

export function canMigrate(backend: QueueBackend): backend is MigratingBackend {
  return (
    'migrate' in backend &&
    typeof backend.migrate === 'function' &&
    'schemaState' in backend &&
    typeof backend.schemaState === 'function'
  );
}
