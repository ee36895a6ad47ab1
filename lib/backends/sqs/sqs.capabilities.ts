import type { Capabilities } from '../../contract/index.js';
import { MAX_PUSH_DELAY_SECONDS, MAX_VISIBILITY_SECONDS } from './service-limits.js';

/**
 * Standard queues. A job given up on is deleted or goes to a dead-letter queue: either way this backend cannot list it,
 * since SQS shows a message only by receiving it.
 */
export const SQS_CAPABILITIES: Capabilities = {
  durable: true,
  delivers: true,
  fencedSettlement: false,
  priorityLevels: 'none',
  unique: false,
  maxPushDelaySeconds: MAX_PUSH_DELAY_SECONDS,
  maxReleaseDelaySeconds: MAX_VISIBILITY_SECONDS,
  delayGranularitySeconds: 1,
  exactCounts: false,
  clear: false,
  failedJobs: 'no',
  browse: false,
  extend: true,
  pause: false,
  transactionalPush: false,
  listQueues: false,
  countsCrashes: false,
  freeDeferral: false,
  keepsOrder: false,
  keepsPlace: false,
  atomicFollowUps: false,
  atomicPushMany: false,
  pushDelivery: false,
};
