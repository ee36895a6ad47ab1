import type { JobPlan } from '../../app/job-plan.js';
import type { FaultProxy, FaultServer, Role, TargetKind } from '../../target.js';
import type { Random } from '../../random.js';
import type { Trial } from '../../trial/trial.js';

/** Of the jobs some are so long that there is always one under way. */
export function steadyLoad(random: Random): Partial<JobPlan> {
  return random.chance(0.3) ? { durationMs: random.integer(100, 400) } : {};
}

/** Why a target has no wire and no server to hurt; null where it has. */
export function withoutWire({ name }: TargetKind): string | null {
  if (name === 'memory') return 'no server, and no wire but the trial’s own';
  return name === 'sqlite' ? 'a file, without a wire' : null;
}

export function serverOf({ target }: Trial): FaultServer {
  if (target.server === null) throw new Error(`Expected a server of ${target.name}, came none.`);
  return target.server;
}

export function wireOf({ target }: Trial, role: Role): FaultProxy {
  if (target.proxies === null) throw new Error(`Expected wires to ${target.name}, came none.`);
  return target.proxies[role];
}

/** Waits until that many pushes more have been tried. */
export async function pushing(trial: Trial, more: number): Promise<void> {
  await trial.ledger.seen('push-try', trial.ledger.of('push-try').length + more);
}

/** Waits until that many deliveries more have begun, and one is under way. */
export async function delivering(trial: Trial, more: number): Promise<void> {
  await trial.started(trial.ledger.of('start').length + more);
  await trial.busy();
}
