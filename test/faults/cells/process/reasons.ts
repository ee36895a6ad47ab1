import type { TargetKind } from '../../target.js';

/** For faults of processes. */
export function needsDurableJobs({ rules }: TargetKind): string | null {
  return rules.durable ? null : 'its jobs live and die with the one process';
}

/** For faults of leases. */
export function needsLeases(target: TargetKind): string | null {
  return (
    needsDurableJobs(target) ?? (target.rules.leases ? null : 'nothing expires while a worker is connected')
  );
}
