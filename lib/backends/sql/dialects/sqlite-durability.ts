import type { Finding } from '../../../contract/index.js';
import { durabilityFindings } from '../diagnose/durability-findings.js';
import type { SqlRow } from '../executor/sql-executor.js';

const OFF = 0;
const NORMAL = 1;

/** `synchronous` is a setting of each connection: what is told is that of the connection that asked. */
export function sqliteDurability(row: SqlRow | null): readonly Finding[] {
  const level = Number(row?.['synchronous'] ?? NORMAL);
  if (level === OFF) {
    return durabilityFindings(
      [
        {
          setting: 'synchronous = off',
          consequence: 'a power failure can damage the file',
          mend: '`pragma synchronous = normal`, or `full`, on each connection that the application opens to it',
        },
      ],
      '',
    );
  }
  return durabilityFindings(
    [],
    level === NORMAL
      ? 'what is committed outlives its process; a power failure can cost the last commits (synchronous = normal)'
      : 'what is committed outlives a power failure (synchronous = full)',
  );
}
