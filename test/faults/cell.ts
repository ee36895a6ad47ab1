import type { JobPlan } from './app/job-plan.js';
import type { Bite } from './judge/facts.js';
import type { Random } from './random.js';
import type { TargetKind, TargetNeeds } from './target.js';
import type { Trial } from './trial/trial.js';
import type { StartWorkerOptions } from './trial/start-worker-options.js';

/** A server of the shared ones will do, reached directly. */
export const NEEDS_NOTHING: TargetNeeds = { server: false, proxy: false };

/**
 * A row of the matrix: one fault, as it is done to a trial of any target. The trial has its pusher and its workers running
 * when `inject` is called, and is drained, stopped and judged when that resolves.
 */
export interface FaultCell {
  /** As `--only` takes it: the name of its file. */
  readonly name: string;
  /** As the table shows it. */
  readonly title: string;
  readonly needs: TargetNeeds;
  /** What must have been hit in every trial, or the trial shows nothing. */
  readonly bites: readonly Bite[];
  /** Why it makes no sense on that target; null where it does. */
  reason(target: TargetKind): string | null;
  /** What its workers are started with beside what all have. */
  readonly workers?: StartWorkerOptions;
  /** Variables of the pusher. */
  readonly pusherEnvironment?: Readonly<Record<string, string>>;
  /** How a job of this cell differs from those of every trial. */
  plan?(random: Random, job: number): Partial<JobPlan>;
  /**
   * The cell has no processes: `inject` pushes, reserves and settles by itself, through `trial.target.open()`, and writes
   * what it does to `trial.writer`. What it leaves is drained by nobody.
   */
  readonly inProcess?: boolean;
  inject(trial: Trial): Promise<void>;
}
