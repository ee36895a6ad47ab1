import type { Capabilities, QueuedJob } from '../contract/index.js';

/** How long a job rests that today's code cannot rebuild, before a worker, perhaps one with newer code, sees it. */
const ROUND_SECONDS = 30;

/** The next round of a job's grace. */
export interface GraceRound {
  readonly delaySeconds: number;
  /** Which round it is, from 1. */
  readonly graceRounds: number;
}

/**
 * Old and new code run side by side during a deploy: a job that one of them cannot rebuild waits for the other. null when
 * its grace is over, or there is none. Where a job cannot be given back for free, each delivery is a round.
 */
export function graceOf(
  job: QueuedJob,
  rules: { readonly schemaGraceSeconds: number; readonly capabilities: Capabilities },
): GraceRound | null {
  const { freeDeferral, maxReleaseDelaySeconds } = rules.capabilities;
  const had = freeDeferral ? job.header.graceRounds : job.header.attempts;
  if (had >= Math.ceil(rules.schemaGraceSeconds / ROUND_SECONDS)) return null;
  return { delaySeconds: Math.min(ROUND_SECONDS, maxReleaseDelaySeconds), graceRounds: had + 1 };
}
