import type { Finding } from '../../../contract/index.js';
import { durabilityFindings, type DurabilityRisk } from '../diagnose/durability-findings.js';
import type { SqlRow } from '../executor/sql-executor.js';

const RELOAD = 'then `select pg_reload_conf()`';

/** By setting, what follows from `off`. Every other value of them waits for the disk of this server at least. */
const RISKS: Readonly<Record<string, Omit<DurabilityRisk, 'setting'>>> = {
  fsync: {
    consequence: 'a crash of the server’s machine can damage the database, all of it',
    mend: `\`alter system set fsync = on\`, ${RELOAD}`,
  },
  full_page_writes: {
    consequence: 'a crash of the server’s machine while a page is written can damage it',
    mend: `\`alter system set full_page_writes = on\`, ${RELOAD}`,
  },
  synchronous_commit: {
    consequence: 'a crash of the server loses the pushes and settlements that were answered last',
    mend: '`alter database … set synchronous_commit = on`, or `alter role …` where it is the role’s; then connect again',
  },
};

export function postgresqlDurability(row: SqlRow | null): readonly Finding[] {
  const risks = Object.entries(RISKS)
    .filter(([name]) => row?.[name] === 'off')
    .map(([name, risk]) => ({ setting: `${name} = off`, ...risk }));
  return durabilityFindings(
    risks,
    'what is committed outlives a crash of the server (fsync, full_page_writes, synchronous_commit)',
  );
}
