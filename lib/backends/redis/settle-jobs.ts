import { randomBytes } from 'node:crypto';
import { QueueServerException, type SettleOutcome, type Settlement } from '../../contract/index.js';
import { byQueue } from './by-queue.js';
import { argumentsOf } from './job-arguments.js';
import { delayMsOf } from './member.js';
import type { RedisBackendParts, RedisSteps } from './redis-backend-parts.js';
import { asRedisReceipt } from './redis-receipt.js';
import type { RedisSettings } from './redis.options.js';
import { translateError } from './server-errors.js';
import { TurnBatch } from './turn-batch.js';
import type { WireArgument } from './wire.js';

/** Settlements that one step takes at most: the server does nothing else meanwhile. */
const MAX_BATCH = 500;

export type SettleBatch = TurnBatch<Settlement, SettleOutcome>;

/** Settlements that come together become one step for each queue. */
export function settleBatch(parts: RedisSteps): SettleBatch {
  return new TurnBatch({
    maxWeight: MAX_BATCH,
    weightOf: (settlement) => (settlement.operation === 'ack' ? 1 + settlement.followUps.length : 1),
    run: (queue, settlements) => settleOnQueue(parts, queue, settlements),
  });
}

/** Settles or extends deliveries. */
export async function settleJobs(
  { settling }: RedisBackendParts,
  settlements: readonly Settlement[],
): Promise<readonly SettleOutcome[]> {
  const [only] = settlements;
  if (settlements.length === 1 && only !== undefined) {
    return settling.add(asRedisReceipt(only.receipt).queue, settlements);
  }
  const outcomes: SettleOutcome[] = [];
  await Promise.all(
    byQueue(settlements, ({ receipt }) => asRedisReceipt(receipt).queue).map(
      async ({ queue, entries, places }) => {
        for (let from = 0; from < entries.length; from += MAX_BATCH) {
          const answers = await settling.add(queue, entries.slice(from, from + MAX_BATCH));
          for (const [index, answer] of answers.entries()) outcomes[places[from + index] as number] = answer;
        }
      },
    ),
  );
  return outcomes;
}

async function settleOnQueue(
  { scripts, settings, registry }: RedisSteps,
  queue: string,
  settlements: readonly Settlement[],
): Promise<readonly SettleOutcome[]> {
  try {
    // Whoever wrote a job past the queue did not write the name, by which its failure is found.
    if (settlements.some(({ operation }) => operation === 'fail')) await registry.add([queue]);
    const applied = (await (settlements.every(isBareAck)
      ? scripts.run('ack', queue, settlements.map(tokenOf))
      : scripts.run('settle', queue, settleArguments(settings, settlements)))) as number[];
    return applied.map(outcomeOf);
  } catch (error) {
    return settlements.map(({ operation }) => failedSettlement(translateError(error, `${operation}()`)));
  }
}

/** What a script answered to one. */
export function outcomeOf(answer: unknown): SettleOutcome {
  return { status: answer === 1 ? 'applied' : 'stale' };
}

/** One that only ends its delivery: nothing is to be freed or to be stored. */
export function isBareAck(settlement: Settlement): boolean {
  return (
    settlement.operation === 'ack' &&
    settlement.followUps.length === 0 &&
    !asRedisReceipt(settlement.receipt).holdsMore
  );
}

export function tokenOf({ receipt }: Settlement): string {
  return asRedisReceipt(receipt).token;
}

function settleArguments(
  { failedJobs }: RedisSettings,
  settlements: readonly Settlement[],
): readonly WireArgument[] {
  const keeping = failedJobs === null ? ['', ''] : [failedJobs.maxAgeSeconds * 1_000, failedJobs.maxCount];
  return [...keeping, ...settlements.flatMap(argumentsOfOne)];
}

function argumentsOfOne(settlement: Settlement): WireArgument[] {
  const token = tokenOf(settlement);
  switch (settlement.operation) {
    case 'ack':
      return ['ack', token, settlement.followUps.length, ...settlement.followUps.flatMap(argumentsOf)];
    case 'extend':
      return ['extend', token, settlement.seconds * 1_000];
    case 'fail':
      return ['fail', token, JSON.stringify(settlement.failure), randomBytes(16).toString('hex')];
    default: {
      const { attempts, deferrals, graceRounds, rank } = settlement.changes;
      const changes = [attempts, deferrals, graceRounds, rank].map((change) => change ?? '');
      return ['return', token, delayMsOf(settlement.delaySeconds), ...changes];
    }
  }
}

/** What was never sent may have been preceded by a lease that ended, so that only a refusal is certain. */
export function failedSettlement(error: unknown): SettleOutcome {
  if (!(error instanceof QueueServerException)) throw error;
  return { status: error.code === 'QUEUE_SERVER_REFUSED' ? 'refused' : 'unknown', error };
}
