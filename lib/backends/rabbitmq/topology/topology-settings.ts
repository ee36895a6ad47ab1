import { describe, QueueConfigurationException } from '../../../contract/index.js';
import { MAX_HOLD_MS, MAX_PRIORITY_LEVEL, MAX_TTL_MS } from './broker-limits.js';

/**
 * How a job waits for its delay: in up to 22 queues that every delay of a queue shares (`ladder`), or in one queue for
 * each distinct delay, which goes away by itself (`hold`).
 */
export type DelayStrategy = 'ladder' | 'hold';

/** `quorum` queues are replicated and count deliveries; they have no priority levels. */
export type QueueType = 'classic' | 'quorum';

/**
 * What the queues of a broker are called and declared with. All processes that share queues give the same: RabbitMQ
 * refuses a declaration that differs from the queue that is there.
 *
 * @publicApi
 */
export interface TopologyOptions {
  /** What the broker's name of every queue begins with: up to 80 of the characters A-Z a-z 0-9 _ -. Default none. */
  readonly queuePrefix?: string;
  /** Default `classic`. */
  readonly queueType?: QueueType;
  /** Default `ladder`. */
  readonly delays?: DelayStrategy;
  /**
   * Classic queues: the level that deferred jobs return on, above as many levels for priorities. 0: no levels. Default
   * 10.
   */
  readonly maxPriority?: number;
  /**
   * Milliseconds that a job may be ready before the broker moves it to the dead letters, 1 to 4,294,967,295. Default
   * none.
   */
  readonly messageTtl?: number;
  /** `hold`: delays are rounded up to a multiple of these milliseconds, 100 to 2,147,483,647. Default 1,000. */
  readonly holdGranularityMs?: number;
}

/** `TopologyOptions`, checked and complete. */
export interface TopologySettings {
  readonly prefix: string;
  readonly queueType: QueueType;
  readonly delays: DelayStrategy;
  /** null where the queues have no priority levels. */
  readonly maxPriority: number | null;
  /** null where a ready job waits without a bound. */
  readonly messageTtlMs: number | null;
  readonly holdGranularityMs: number;
}

const PREFIX = /^[A-Za-z0-9_-]{0,80}$/;
const DEFAULT_MAX_PRIORITY = 10;
/** With fewer, −100, 0 and 100 would share a level, and a priority would promise what it does not do. */
const FEWEST_PRIORITY_LEVELS = 3;
const DEFAULT_HOLD_GRANULARITY_MS = 1_000;
/** A push has to be confirmed before its hold queue may expire; a shorter time than this would fail pushes for no fault. */
const MIN_HOLD_GRANULARITY_MS = 100;

function refuse(option: string, expected: string, came: unknown, advice = ''): never {
  throw new QueueConfigurationException(
    `rabbitmq(): ${option}: expected ${expected}, came ${describe(came)}.${advice}`,
  );
}

function integerBetween(option: string, value: unknown, min: number, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    refuse(option, `an integer of milliseconds from ${min} to ${max}`, value);
  }
  return value;
}

function oneOf<T extends string>(option: string, value: unknown, values: readonly T[]): T {
  const known = values.find((candidate) => candidate === value);
  return known ?? refuse(option, values.map((candidate) => `'${candidate}'`).join(' or '), value);
}

function prefixOf(value: unknown): string {
  if (typeof value === 'string' && PREFIX.test(value)) return value;
  return refuse(
    'queuePrefix',
    'up to 80 of the characters A-Z a-z 0-9 _ -',
    value,
    ' A dot sets the queues that wait and the dead letters apart from the queues of jobs.',
  );
}

function maxPriorityOf(value: unknown, queueType: QueueType): number | null {
  if (queueType === 'quorum') {
    if (value === undefined || value === 0) return null;
    return refuse(
      'maxPriority',
      '0 or nothing with quorum queues, which have no priority levels',
      value,
      " Leave it out, or give `queueType: 'classic'`.",
    );
  }
  const levels = value ?? DEFAULT_MAX_PRIORITY;
  if (levels === 0) return null;
  if (
    typeof levels !== 'number' ||
    !Number.isInteger(levels) ||
    levels < FEWEST_PRIORITY_LEVELS ||
    levels > MAX_PRIORITY_LEVEL
  ) {
    refuse(
      'maxPriority',
      `0 (no levels) or an integer from ${FEWEST_PRIORITY_LEVELS} to ${MAX_PRIORITY_LEVEL}`,
      levels,
      levels === 1 || levels === 2 ? ' With 1 or 2 the priorities -100, 0 and 100 would share levels.' : '',
    );
  }
  return levels;
}

/** Throws `QueueConfigurationException` for an option that cannot be used. */
export function topologySettings(options: TopologyOptions): TopologySettings {
  const queueType = oneOf('queueType', options.queueType ?? 'classic', ['classic', 'quorum']);
  const { messageTtl, holdGranularityMs } = options;
  return {
    prefix: prefixOf(options.queuePrefix ?? ''),
    queueType,
    delays: oneOf('delays', options.delays ?? 'ladder', ['ladder', 'hold']),
    maxPriority: maxPriorityOf(options.maxPriority, queueType),
    // 0 would be a queue that no sweep ever finds anything on.
    messageTtlMs: messageTtl == null ? null : integerBetween('messageTtl', messageTtl, 1, MAX_TTL_MS),
    holdGranularityMs: integerBetween(
      'holdGranularityMs',
      holdGranularityMs ?? DEFAULT_HOLD_GRANULARITY_MS,
      MIN_HOLD_GRANULARITY_MS,
      MAX_HOLD_MS,
    ),
  };
}
