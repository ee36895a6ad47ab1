import { SchemaOutdatedException } from '../../contract/index.js';
import { SCHEMA_VERSION } from './migrations.js';
import { MIGRATE_HINT } from './server-errors.js';

/** A newer schema serves this code too; an older one does not. */
export function assertSchema(version: number): void {
  if (version >= SCHEMA_VERSION) return;
  throw new SchemaOutdatedException(
    `The tables of the queue: expected version ${SCHEMA_VERSION} or later, came ${version}. ${MIGRATE_HINT}`,
  );
}
