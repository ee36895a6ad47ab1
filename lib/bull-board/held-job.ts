import type { BrowsedJob, FailedJob } from '../queue/index.js';

/** States of a board, in the order of its tabs. */
export const BOARD_STATES = ['active', 'waiting', 'failed', 'delayed'] as const;

export type BoardState = (typeof BOARD_STATES)[number];

/** A job where it was found. */
export type HeldJob =
  | { readonly state: 'failed'; readonly job: FailedJob }
  | { readonly state: Exclude<BoardState, 'failed'>; readonly job: BrowsedJob };

/** What the contract calls each state that is looked at job by job. */
export const BROWSED_STATES = { active: 'reserved', waiting: 'ready', delayed: 'delayed' } as const;

const STATE_OF = { reserved: 'active', ready: 'waiting', delayed: 'delayed' } as const;

export function heldFailed(job: FailedJob): HeldJob {
  return { state: 'failed', job };
}

export function heldBrowsed(job: BrowsedJob): HeldJob {
  return { state: STATE_OF[job.state], job };
}
