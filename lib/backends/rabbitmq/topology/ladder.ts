import { describe, InvalidQueueArgumentException } from '../../../contract/index.js';
import { binding, durableQueue, topicExchange, type Topology } from './declarations.js';
import { tierExchangeName, tierQueueName } from './names.js';
import { deadLetterArguments, typeArguments } from './queue-arguments.js';
import type { QueueType } from './topology-settings.js';

/**
 * The delay ladder. Tier `i` is a queue whose messages all wait 2^i seconds, with a topic exchange before it. A delay is
 * the sum of the tiers of its bits. Its bits are the routing key, lowest first, one word each ("0.1.1" is 6 s), and
 * dead-lettering keeps the key: the exchange of tier `i` looks at word `i` alone and puts the message into the tier's
 * queue (1) or hands it to the exchange below (0); the queue, when its time is over, does the latter too. Below tier 0 is
 * the queue of jobs.
 */
export const LADDER_TIERS = 22;

/** The longest delay in seconds: every tier once, some 48 days. */
export const MAX_LADDER_SECONDS = 2 ** LADDER_TIERS - 1;

/** The length of tier `tier` in seconds. */
export function tierSeconds(tier: number): number {
  return 2 ** tier;
}

/** A delay in whole seconds, rounded up: a delay is a floor. Throws `InvalidQueueArgumentException` for one too long. */
export function ladderSeconds(delaySeconds: number): number {
  const seconds = Math.ceil(delaySeconds);
  if (seconds >= 1 && seconds <= MAX_LADDER_SECONDS) return seconds;
  throw new InvalidQueueArgumentException(
    `Expected a delay above 0 and of at most ${MAX_LADDER_SECONDS} seconds (every tier of the ladder), ` +
      `came ${describe(delaySeconds)}. Push the job later, or keep such jobs on a backend without this bound.`,
  );
}

/** The tier that a delay in whole seconds enters by: its highest bit. */
export function highestTier(seconds: number): number {
  return Math.floor(Math.log2(seconds));
}

/** The routing key of a delay in whole seconds. */
export function ladderKey(seconds: number): string {
  let key = String(seconds % 2);
  for (let rest = seconds >> 1; rest > 0; rest >>= 1) key += rest & 1 ? '.1' : '.0';
  return key;
}

/** Matches the routing keys whose word `tier` is `bit`, whatever comes before and after. */
function bitPattern(tier: number, bit: 0 | 1): string {
  return `${'*.'.repeat(tier)}${bit}.#`;
}

/** The lowest exchange and its way into the queue of jobs. That binding vanishes whenever the queue is deleted. */
export function ladderFoot(workQueue: string): Topology {
  const exchange = tierExchangeName(workQueue, tierSeconds(0));
  return [topicExchange(exchange), binding(exchange, bitPattern(0, 0), { kind: 'queue', name: workQueue })];
}

function tierTopology(workQueue: string, queueType: QueueType, tier: number): Topology {
  const seconds = tierSeconds(tier);
  const exchange = tierExchangeName(workQueue, seconds);
  const below = tier === 0 ? null : tierExchangeName(workQueue, tierSeconds(tier - 1));
  const queue = durableQueue(tierQueueName(workQueue, seconds), {
    ...typeArguments(queueType),
    'x-message-ttl': seconds * 1_000,
    // The default exchange finds the queue of jobs by its name, also when it was deleted and declared again.
    ...deadLetterArguments(
      queueType,
      below === null ? { exchange: '', routingKey: workQueue } : { exchange: below },
    ),
  });
  return [
    ...(below === null
      ? ladderFoot(workQueue)
      : [topicExchange(exchange), binding(exchange, bitPattern(tier, 0), { kind: 'exchange', name: below })]),
    queue,
    binding(exchange, bitPattern(tier, 1), queue),
  ];
}

/**
 * The tiers from the lowest up to `highest`: all that a delay can pass that enters there. The queue of jobs must be there
 * already. A message that finds an exchange below without a way on is gone, so all of it is declared before the publish.
 */
export function ladderTopology(
  workQueue: string,
  queueType: QueueType,
  highest: number = LADDER_TIERS - 1,
): Topology {
  return Array.from({ length: highest + 1 }, (_, tier) => tierTopology(workQueue, queueType, tier)).flat();
}

/** All queues of the ladder from the top down, the way that a waiting job takes: counted and cleared in this order. */
export function ladderQueues(workQueue: string): readonly string[] {
  return Array.from({ length: LADDER_TIERS }, (_, tier) =>
    tierQueueName(workQueue, tierSeconds(tier)),
  ).toReversed();
}
