import { randomBytes } from 'node:crypto';
import {
  leaseSecondsOf,
  type ReservedItem,
  type SettleOutcome,
  type Settlement,
} from '../../contract/index.js';
import { bodyOf, readMember } from './member.js';
import type { RedisSteps } from './redis-backend-parts.js';
import { RedisReceipt } from './redis-receipt.js';
import { failedSettlement, outcomeOf, tokenOf } from './settle-jobs.js';
import { translateError } from './server-errors.js';
import type { Taken } from './turn-batch.js';
import { WireFailed } from './wire-failed.js';

export interface Reserve {
  readonly queue: string;
  readonly limit: number;
  /** Deliveries that end by the way, or null. */
  readonly acks: Taken<Settlement, SettleOutcome> | null;
}

export interface Reserved {
  readonly items: readonly ReservedItem[];
  /** Milliseconds until the next job falls due by itself; Infinity where there is none, or jobs were found. */
  readonly untilDueMs: number;
}

/** One step of a reserve. What is acknowledged with it is answered, whatever becomes of the rest. */
export async function reserveJobs(
  { scripts, settings }: RedisSteps,
  { queue, limit, acks }: Reserve,
): Promise<Reserved> {
  const { leaseSeconds } = settings;
  const tokens = acks?.entries.map(tokenOf) ?? [];
  const token = randomBytes(12).toString('base64url');
  let answer: readonly unknown[];
  try {
    answer = (await scripts.run('reserve', queue, [
      limit,
      leaseSeconds * 1_000,
      token,
      ...tokens,
    ])) as unknown[];
  } catch (error) {
    if (acks !== null) answerWithout(acks, error);
    throw error;
  }
  const end = answer.length - tokens.length;
  acks?.answer(answer.slice(end).map(outcomeOf));
  const items: ReservedItem[] = [];
  for (let index = 1; index < end; index += 3) {
    const member = readMember(answer[index + 1] as Buffer);
    items.push({
      queue,
      receipt: new RedisReceipt(queue, String(answer[index])),
      header: member.header,
      body: bodyOf(member, answer[index + 2]),
      leaseSeconds: leaseSecondsOf(member.header?.leaseSeconds, leaseSeconds),
    });
  }
  const untilDueMs = Number(answer[0]);
  return { items, untilDueMs: untilDueMs < 0 ? Infinity : untilDueMs };
}

/** A script that answers an error, or was never made, has acknowledged nothing, and what stopped the reserve may be no matter of theirs. */
function answerWithout(acks: Taken<Settlement, SettleOutcome>, error: unknown): void {
  if (error instanceof WireFailed)
    acks.answer(acks.entries.map(() => failedSettlement(translateError(error, 'ack()'))));
  else acks.runAlone();
}
