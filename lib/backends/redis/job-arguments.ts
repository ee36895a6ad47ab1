import { randomBytes } from 'node:crypto';
import type { NewJob } from '../../contract/index.js';
import { delayMsOf, headOf, rankOf } from './member.js';
import type { WireArgument } from './wire.js';

/** Bodies above this many bytes leave the member, which moves with every transition, for the hash `bodies`. */
const LARGEST_INLINE_BYTES = 2_048;

/** The 7 arguments that scripts/parts/store-job.lua reads for a new job. */
export function argumentsOf(job: NewJob): WireArgument[] {
  const { id, header, body, delaySeconds } = job;
  const isLarge = Buffer.byteLength(body) > LARGEST_INLINE_BYTES;
  // Not the id: a step of a chain that was stored twice has it twice, and the first to end would take the body along.
  const ref = isLarge ? randomBytes(12).toString('hex') : '';
  const head = headOf({ ...header }, id);
  return [delayMsOf(delaySeconds), rankOf(job), header.uniqueKey ?? '', id, head, ref, body];
}

/** Queues where somebody has to look soon, whatever he waits for: at once, or before the next pause ends. */
export function soonQueuesOf(jobs: readonly NewJob[], pauseMs: number): ReadonlySet<string> {
  return new Set(jobs.filter(({ delaySeconds }) => delaySeconds * 1_000 < pauseMs).map(({ queue }) => queue));
}
