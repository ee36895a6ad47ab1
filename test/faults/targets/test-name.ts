import { randomBytes } from 'node:crypto';

/** A name for a database, a prefix or a file of one trial. */
export function newTestName(): string {
  return `kinetis_test_fault_${randomBytes(5).toString('hex')}`;
}
