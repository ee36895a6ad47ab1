import type { SqlFailure } from './sql-dialect.js';

/** By error number (the same in MySQL and MariaDB below 1900). What is not listed is a defect. */
const BY_NUMBER: ReadonlyMap<number, SqlFailure> = new Map<number, SqlFailure>([
  // Changed since it was read (innodb_snapshot_isolation), lock wait timeout, deadlock, nowait
  ...[1020, 1205, 1213, 3572].map((number) => [number, 'locked'] as const),
  // Disk full, out of memory, too many connections, table full, read only, interrupted, statement timeouts, shutdown
  ...[1021, 1037, 1038, 1040, 1041, 1114, 1203, 1226, 1290, 1317, 1792, 1836, 1969, 3024].map(
    (number) => [number, 'refused'] as const,
  ),
  // No such table, column or database
  ...[1049, 1054, 1146].map((number) => [number, 'schema'] as const),
  ...[1044, 1142, 1143, 1227, 1370].map((number) => [number, 'forbidden'] as const),
  // Server shutdown, connection killed, disconnected by the server
  ...[1053, 1152, 1158, 1159, 1160, 1161, 1927, 4031].map((number) => [number, 'unknown'] as const),
]);

/** mysql2 and mariadb say so of a connection that broke before anything was sent. */
const NEVER_SENT = /closed state|connection (is |has been )?closed|new commands/i;

/** What an error of mysql2 or mariadb says of the statement that met it. */
export function classifyMysql(error: unknown): SqlFailure {
  if (!(error instanceof Error)) return 'defect';
  const { errno, sqlState } = error as { errno?: unknown; sqlState?: unknown };
  const isOfServer =
    typeof errno === 'number' && errno >= 1_000 && errno < 40_000 && typeof sqlState === 'string';
  if (isOfServer) return BY_NUMBER.get(errno) ?? (sqlState.startsWith('08') ? 'unknown' : 'defect');
  if (NEVER_SENT.test(error.message)) return 'unreachable';
  if ('fatal' in error && error.fatal === true) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return 'unknown';
  return 'defect';
}

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && error.errno === 1062;
}
