import { MEMORY_CAPABILITIES } from '../../../lib/backends/memory/index.js';
import type { Capabilities } from '../../../lib/contract/index.js';
import type { CrippledOptions } from './crippled-store.js';

export interface Profile extends CrippledOptions {
  readonly name: string;
  readonly capabilities: Capabilities;
}

/** As RabbitMQ is, with classic queues that have priority levels. */
export const rabbitmqProfile: Profile = {
  name: 'crippled as rabbitmq',
  batchSize: Infinity,
  longPoll: false,
  twoStep: true,
  capabilities: {
    ...MEMORY_CAPABILITIES,
    fencedSettlement: false,
    priorityLevels: 'levels',
    unique: false,
    maxPushDelaySeconds: 4_194_303,
    maxReleaseDelaySeconds: 4_194_303,
    delayGranularitySeconds: 1,
    exactCounts: false,
    failedJobs: 'scan',
    browse: false,
    extend: false,
    pause: false,
    listQueues: false,
    countsCrashes: false,
    keepsPlace: false,
    atomicFollowUps: false,
    atomicPushMany: false,
    pushDelivery: true,
  },
};

/** As SQS' standard queues are, without a dead-letter queue. */
export const sqsProfile: Profile = {
  name: 'crippled as sqs',
  batchSize: 10,
  longPoll: true,
  twoStep: false,
  capabilities: {
    ...MEMORY_CAPABILITIES,
    fencedSettlement: false,
    priorityLevels: 'none',
    unique: false,
    maxPushDelaySeconds: 900,
    maxReleaseDelaySeconds: 43_200,
    delayGranularitySeconds: 1,
    exactCounts: false,
    clear: false,
    failedJobs: 'no',
    browse: false,
    pause: false,
    listQueues: false,
    countsCrashes: false,
    freeDeferral: false,
    keepsOrder: false,
    keepsPlace: false,
    atomicFollowUps: false,
    atomicPushMany: false,
  },
};

/** Memory with one thing less, by the name of what it lacks. */
export const oneLess: { readonly [what: string]: Partial<Capabilities> } = {
  fencedSettlement: { fencedSettlement: false },
  'priorityLevels: levels': { priorityLevels: 'levels' },
  'priorityLevels: none': { priorityLevels: 'none' },
  unique: { unique: false },
  maxPushDelaySeconds: { maxPushDelaySeconds: 900 },
  maxReleaseDelaySeconds: { maxReleaseDelaySeconds: 900 },
  delayGranularitySeconds: { delayGranularitySeconds: 1 },
  exactCounts: { exactCounts: false },
  clear: { clear: false },
  'failedJobs: scan': { failedJobs: 'scan' },
  'failedJobs: no': { failedJobs: 'no' },
  browse: { browse: false },
  extend: { extend: false },
  pause: { pause: false },
  listQueues: { listQueues: false },
  countsCrashes: { countsCrashes: false },
  freeDeferral: { freeDeferral: false },
  keepsOrder: { keepsOrder: false },
  keepsPlace: { keepsPlace: false },
  atomicFollowUps: { atomicFollowUps: false },
  'atomicFollowUps: same-queue': { atomicFollowUps: 'same-queue' },
  atomicPushMany: { atomicPushMany: false },
  'atomicPushMany: same-queue': { atomicPushMany: 'same-queue' },
};
