import { MAX_DELAY_SECONDS } from '../contract/index.js';
import type { Backoff } from '../jobs/index.js';

/** How long a failed job stays away, and what was wrong with the rule that said so. */
export interface Delay {
  readonly delaySeconds: number;
  readonly warning: string | null;
}

/** What a rule may look at. */
export interface FailedAttempt {
  /** From 1. */
  readonly attempt: number;
  readonly error: unknown;
  /** The rebuilt job, null when it could not be rebuilt. */
  readonly job: object | null;
}

const AT_ONCE: Delay = { delaySeconds: 0, warning: null };

/** The pause after a failed attempt. Never throws: a rule that does, or gives no usable number, means 0. */
export function delayAfter(backoff: Backoff, failed: FailedAttempt, longestSeconds: number): Delay {
  // The commonest rule, and the one without which a job has none.
  if (backoff === 0) return AT_ONCE;
  let seconds: unknown;
  try {
    seconds = secondsAfter(backoff, failed);
  } catch {
    return { delaySeconds: 0, warning: 'The backoff function threw; the job is released at once.' };
  }
  return checkedDelay(seconds, longestSeconds, 'The backoff');
}

/** A delay that the backend accepts. `what` begins the warning. */
export function checkedDelay(seconds: unknown, longestSeconds: number, what: string): Delay {
  // An async function: nobody waits for what it gives, so that nobody would handle its rejection.
  if (seconds instanceof Promise) seconds.catch(() => undefined);
  if (typeof seconds !== 'number' || Number.isNaN(seconds) || seconds < 0) {
    return { delaySeconds: 0, warning: `${what} gave no number of 0 or more; the delay is 0.` };
  }
  // Where the backend has no longest delay, an endless one would be refused by the settlement's own check.
  const longest = Math.min(longestSeconds, MAX_DELAY_SECONDS);
  if (seconds <= longest) return { delaySeconds: seconds, warning: null };
  return { delaySeconds: longest, warning: `${what} exceeds what the backend keeps; cut to ${longest} s.` };
}

function secondsAfter(backoff: Backoff, { attempt, error, job }: FailedAttempt): unknown {
  if (typeof backoff === 'number') return backoff;
  // A function of the job has nothing to be asked about where there is no job.
  if (typeof backoff === 'function') return job === null ? 0 : backoff(attempt, error, job);
  if ('base' in backoff) {
    const { base, factor = 2, max = Infinity, jitter = 0 } = backoff;
    // 0 times what has grown beyond all numbers would be none.
    const grown = base === 0 ? 0 : base * factor ** (attempt - 1);
    return Math.min(max, grown) * (1 - jitter * Math.random());
  }
  return backoff[Math.min(attempt, backoff.length) - 1] ?? 0;
}
