import type { Capabilities } from '../../contract/index.js';

/** `atomicPushMany` holds within one queue: on a cluster each queue is a step of its own. */
export const REDIS_CAPABILITIES: Capabilities = {
  durable: true,
  delivers: true,
  fencedSettlement: true,
  priorityLevels: 'full',
  unique: true,
  maxPushDelaySeconds: Number.POSITIVE_INFINITY,
  maxReleaseDelaySeconds: Number.POSITIVE_INFINITY,
  delayGranularitySeconds: 0.001,
  exactCounts: true,
  clear: true,
  failedJobs: 'yes',
  browse: true,
  extend: true,
  pause: true,
  transactionalPush: false,
  listQueues: true,
  countsCrashes: true,
  freeDeferral: true,
  keepsOrder: true,
  keepsPlace: true,
  atomicFollowUps: 'same-queue',
  atomicPushMany: true,
  pushDelivery: false,
};
