import type { TargetKind } from '../../target.js';

/** For what may befall a worker of any backend. */
export const everywhere = (): null => null;

/** For faults of leases. */
export function needsLeases({ rules }: TargetKind): string | null {
  return rules.leases ? null : 'nothing expires while a worker is connected';
}
