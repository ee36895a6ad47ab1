import type { Finding } from '../../../contract/index.js';

/** A setting by which an answered commit can be lost, or the files of the database be damaged. */
export interface DurabilityRisk {
  /** As the database shows it: "fsync = off". */
  readonly setting: string;
  readonly consequence: string;
  readonly mend: string;
}

/** A warning for each risk; without one, a finding that says what the settings keep. */
export function durabilityFindings(risks: readonly DurabilityRisk[], kept: string): readonly Finding[] {
  if (risks.length === 0) return [{ topic: 'settings', level: 'ok', message: kept, mend: null }];
  return risks.map(({ setting, consequence, mend }) => ({
    topic: 'settings',
    level: 'warning',
    message: `${setting}: ${consequence}`,
    mend,
  }));
}
