import { setTimeout as pause } from 'node:timers/promises';
import type {
  NewJob,
  QueueBackend,
  Receipt,
  ReservedItem,
  SettleOutcome,
  Settlement,
} from '../../contract/index.js';
import { mayBeStored, stepsOf } from './destination.js';
import { movableOf } from './movable-job.js';
import type { MoveStep } from './move-delayed.js';

/** Jobs that one step moves: a move that is killed leaves so many between the two stores at most. */
const STEP = 100;
/** Jobs that cannot be moved, and are held so that they are not met again, at most. */
const MOST_HELD = 1_000;
/** Empty sweeps in a row after which a queue counts as empty, where a sweep may find less than there is. */
const EMPTY_SWEEPS = 3;
const SETTLE_ATTEMPTS = 4;
const SETTLE_PAUSE_MS = 250;

interface Reserved {
  readonly receipt: Receipt;
  readonly job: NewJob;
  readonly serial: number;
}

export interface MoveReadyOptions extends MoveStep {
  /** Ends after so many jobs, for new ones may come as fast as they are moved. */
  readonly most: number;
}

/**
 * Moves the ready jobs of a queue: reserved here, stored there, then settled here. A move that is killed in between
 * leaves a job at the source until its lease ends, and at most one step of them in both places.
 */
export async function moveReady(from: QueueBackend, options: MoveReadyOptions): Promise<void> {
  const { tally, most, stop, onStep } = options;
  /** What stays is held until the end, and then given back. */
  const held: Receipt[] = [];
  const enough = tally.done + most;
  const emptySweeps = from.capabilities.keepsOrder ? 1 : EMPTY_SWEEPS;
  let empty = 0;
  try {
    while (!stop.aborted && tally.done < enough && held.length < MOST_HELD && empty < emptySweeps) {
      const items = await from.reserve([tally.queue], Math.min(STEP, enough - tally.done));
      empty = items.length === 0 ? empty + 1 : 0;
      if (items.length > 0) await moveStep(from, items, held, options);
      onStep();
    }
  } finally {
    await giveBack(from, held);
  }
}

async function moveStep(
  from: QueueBackend,
  items: readonly ReservedItem[],
  held: Receipt[],
  { tally, to }: MoveStep,
): Promise<void> {
  const unsettled = new Set(items.map(({ receipt }) => receipt));
  try {
    const { fresh, there } = await sorted(items, held, { tally, to });
    tally.mayRunTwice += await acknowledge(from, there, unsettled);
    tally.alreadyThere += there.length;
    for (const part of stepsOf(fresh)) await movePart(from, part, { held, unsettled, tally, to });
  } finally {
    // Not moved, or nobody knows: they go back to the source, now rather than when their leases end.
    held.push(...[...unsettled].filter((receipt) => !held.includes(receipt)));
  }
}

interface MovePart extends Pick<MoveStep, 'tally' | 'to'> {
  readonly held: Receipt[];
  readonly unsettled: Set<Receipt>;
}

async function movePart(
  from: QueueBackend,
  part: readonly Reserved[],
  { held, unsettled, tally, to }: MovePart,
): Promise<void> {
  const done: Reserved[] = [];
  try {
    const answers = await to.store(part.map(({ job }) => job));
    for (const [index, reserved] of part.entries()) {
      const answer = answers[index] ?? 'refused';
      if (answer === 'stored') tally.moved += 1;
      else if (answer === 'there') tally.alreadyThere += 1;
      else {
        tally.stay(answer);
        held.push(reserved.receipt);
        continue;
      }
      done.push(reserved);
    }
  } catch (error) {
    if (mayBeStored(error)) tally.mayRunTwice += part.length;
    throw error;
  }
  tally.mayRunTwice += await acknowledge(from, done, unsettled);
}

/** Takes the jobs out that stay, and those that are at the destination already. */
async function sorted(
  items: readonly ReservedItem[],
  held: Receipt[],
  { tally, to }: Pick<MoveStep, 'tally' | 'to'>,
): Promise<{ readonly fresh: readonly Reserved[]; readonly there: readonly Reserved[] }> {
  const fresh: Reserved[] = [];
  const there: Reserved[] = [];
  for (const item of items) {
    const movable = movableOf(item, 0, to.backend.capabilities);
    if (movable.kind === 'stays') {
      tally.stay(movable.reason);
      held.push(item.receipt);
      continue;
    }
    const { job, serial } = movable;
    // One that was never delivered before was in no other move's hand.
    const isThere = serial > 1 && (await to.has(job));
    (isThere ? there : fresh).push({ receipt: item.receipt, job, serial });
  }
  return { fresh, there };
}

/** Settles what was moved; answers of how many it is not sure that they are gone. */
async function acknowledge(
  from: QueueBackend,
  moved: readonly Reserved[],
  unsettled: Set<Receipt>,
): Promise<number> {
  for (const { receipt } of moved) unsettled.delete(receipt);
  const acks = moved.map(({ receipt }): Settlement => ({ operation: 'ack', receipt, followUps: [] }));
  const outcomes = await settled(from, acks);
  return outcomes.filter(({ status }) => status !== 'applied').length;
}

async function giveBack(from: QueueBackend, held: readonly Receipt[]): Promise<void> {
  const releases = held.map((receipt): Settlement => ({
    operation: 'release',
    receipt,
    changes: {},
    delaySeconds: 0,
  }));
  // What cannot be given back comes back by itself when its lease ends.
  await settled(from, releases).catch(() => undefined);
}

/** Settles, and tries those again that were refused for a reason that passes. */
async function settled(
  from: QueueBackend,
  settlements: readonly Settlement[],
): Promise<readonly SettleOutcome[]> {
  if (settlements.length === 0) return [];
  const outcomes = [...(await from.settle(settlements))];
  for (let attempt = 2; attempt <= SETTLE_ATTEMPTS; attempt += 1) {
    const refused = settlements.flatMap((_, index) => (outcomes[index]?.status === 'refused' ? [index] : []));
    if (refused.length === 0) break;
    await pause(SETTLE_PAUSE_MS);
    const again = await from.settle(refused.map((index) => settlements[index] as Settlement));
    for (const [place, index] of refused.entries()) outcomes[index] = again[place] as SettleOutcome;
  }
  return outcomes;
}
