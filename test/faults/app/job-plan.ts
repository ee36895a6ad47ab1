/**
 * What a job does, beside writing its lines.
 * - `work`: runs for its duration.
 * - `slow-once`: its first attempt runs for its duration, later ones only for a short while.
 * - `throws-once`, `defers-once`: its first attempt throws, or asks to come later.
 * - `throws`: every attempt throws.
 * - `dies-after-effect`: once, its process is killed between the effect and the ack.
 * - `exits`: its first two deliveries end the process, and more would be beyond its crash allowance.
 * - `blocks`: once, it keeps the event loop for longer than the lease.
 * - `unknown-class`: no worker knows its class.
 */
export type JobKind =
  | 'work'
  | 'slow-once'
  | 'throws-once'
  | 'defers-once'
  | 'throws'
  | 'dies-after-effect'
  | 'exits'
  | 'blocks'
  | 'unknown-class';

/** One job as the seed made it. */
export interface JobPlan {
  readonly job: number;
  readonly kind: JobKind;
  readonly durationMs: number;
  readonly payloadBytes: number;
}

/** The file in the trial's folder that holds the plans of all jobs. */
export const PLAN_FILE = 'plan.json';

/** What the pusher is to do. */
export interface PushPlan {
  readonly jobs: readonly JobPlan[];
  /** How many pushes are under way at a time. */
  readonly lanes: number;
  /** Longest pause of a lane between two pushes. */
  readonly pauseMs: number;
}

/** The text that a job carries: whoever runs it can tell whether it came as it went. */
export function payloadOf(job: number, bytes: number): string {
  return `${job} `.repeat(Math.ceil(bytes / (String(job).length + 1))).slice(0, bytes);
}
