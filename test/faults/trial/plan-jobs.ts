import type { JobKind, JobPlan, PushPlan } from '../app/job-plan.js';
import type { FaultCell } from '../cell.js';
import type { Random } from '../random.js';

const LANES = 4;
const PAUSE_MS = 24;

/** Mostly quick work, some of it slow enough to be hit, some with what every queue has: a throw, a deferral. */
function ordinary(random: Random, job: number): JobPlan {
  const share = random.next();
  const kind: JobKind = share < 0.03 ? 'throws-once' : share < 0.05 ? 'defers-once' : 'work';
  const durationMs = random.chance(0.08) ? random.integer(250, 600) : random.integer(2, 30);
  const payloadBytes = random.chance(0.05) ? random.integer(2_500, 8_000) : random.integer(1, 300);
  return { job, kind, durationMs, payloadBytes };
}

/** The jobs of a trial, as its seed makes them. */
export function planJobs(cell: FaultCell, random: Random, count: number): PushPlan {
  const jobs = Array.from({ length: count }, (_, job) => ({
    ...ordinary(random, job),
    ...cell.plan?.(random, job),
  }));
  return { jobs, lanes: LANES, pauseMs: PAUSE_MS };
}
