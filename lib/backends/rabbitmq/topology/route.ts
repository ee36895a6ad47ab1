import type { Topology } from './declarations.js';
import { holdQueue, holdTtlMs } from './hold.js';
import { highestTier, ladderKey, ladderSeconds, ladderTopology, tierSeconds } from './ladder.js';
import { tierExchangeName, workQueueName } from './names.js';
import type { TopologySettings } from './topology-settings.js';

/** Where a job is published, and what has to be there. */
export interface Route {
  /** '' is the broker's default exchange, which knows queues by their names. */
  readonly exchange: string;
  readonly routingKey: string;
  /** To be declared, beside the queue of jobs itself, before the publish. */
  readonly waits: Topology;
  /**
   * The publish counts only when it is confirmed within so many milliseconds after its `waits` were sent; null without
   * such a bound. A queue that may have expired meanwhile may have taken the job with it.
   */
  readonly confirmWithinMs: number | null;
}

/**
 * The way of a job that is ready after `delaySeconds`, at once with 0. Throws `InvalidQueueArgumentException` for a delay
 * that is too long.
 */
export function routeOf(settings: TopologySettings, queue: string, delaySeconds: number): Route {
  const { queueType, prefix, delays, holdGranularityMs } = settings;
  const name = workQueueName(prefix, queue);
  if (delaySeconds === 0) return { exchange: '', routingKey: name, waits: [], confirmWithinMs: null };
  if (delays === 'hold') {
    const ttlMs = holdTtlMs(delaySeconds, holdGranularityMs);
    const held = holdQueue(name, ttlMs);
    return { exchange: '', routingKey: held.name, waits: [held], confirmWithinMs: ttlMs };
  }
  const seconds = ladderSeconds(delaySeconds);
  const tier = highestTier(seconds);
  return {
    exchange: tierExchangeName(name, tierSeconds(tier)),
    routingKey: ladderKey(seconds),
    waits: ladderTopology(name, queueType, tier),
    confirmWithinMs: null,
  };
}
