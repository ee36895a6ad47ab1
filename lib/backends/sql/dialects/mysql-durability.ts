import type { Finding } from '../../../contract/index.js';
import { durabilityFindings, type DurabilityRisk } from '../diagnose/durability-findings.js';
import type { SqlRow } from '../executor/sql-executor.js';

/** The values of innodb_flush_log_at_trx_commit that sync the log at each commit; 3 is MariaDB's, and syncs it thrice. */
const SYNCED = new Set([1, 3]);

export function mysqlDurability(row: SqlRow | null): readonly Finding[] {
  const flush = Number(row?.['flush_log'] ?? 1);
  const binlog = Number(row?.['sync_binlog'] ?? 1);
  const risks: DurabilityRisk[] = [];
  if (!SYNCED.has(flush)) {
    risks.push({
      setting: `innodb_flush_log_at_trx_commit = ${flush}`,
      consequence: 'a crash of the server’s machine loses what was answered in the last second',
      mend: '`set global innodb_flush_log_at_trx_commit = 1`, and the same in the server’s configuration file',
    });
  }
  if (Number(row?.['log_bin'] ?? 0) === 1 && binlog !== 1) {
    risks.push({
      setting: `sync_binlog = ${binlog}`,
      consequence: 'after a crash of the server’s machine, replicas can lack what was answered last',
      mend: '`set global sync_binlog = 1`, and the same in the server’s configuration file',
    });
  }
  return durabilityFindings(
    risks,
    'what is committed outlives a crash of the server (innodb_flush_log_at_trx_commit, sync_binlog)',
  );
}
