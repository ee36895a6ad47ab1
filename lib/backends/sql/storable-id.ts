/** What the narrowest of the id columns holds: ASCII, up to 64 characters. */
const STORABLE = /^[\x20-\x7e]{1,64}$/;

/**
 * Whether a job could be stored under this id. A server answers others with an error of its own: PostgreSQL a NUL, MariaDB
 * what its column's character set lacks.
 */
export function isStorableId(id: string): boolean {
  return STORABLE.test(id);
}
