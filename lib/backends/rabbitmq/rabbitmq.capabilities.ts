import type { Capabilities } from '../../contract/index.js';
import type { RabbitMqSettings } from './rabbitmq.options.js';
import { topologyCapabilities } from './topology/index.js';

export function rabbitMqCapabilities({
  topology,
  failedJobs,
}: Pick<RabbitMqSettings, 'topology' | 'failedJobs'>): Capabilities {
  return {
    durable: true,
    delivers: true,
    fencedSettlement: false,
    unique: false,
    exactCounts: false,
    failedJobs: failedJobs ? 'scan' : 'no',
    browse: false,
    extend: false,
    pause: false,
    transactionalPush: false,
    listQueues: false,
    freeDeferral: true,
    keepsOrder: true,
    keepsPlace: false,
    atomicFollowUps: false,
    atomicPushMany: false,
    pushDelivery: true,
    ...topologyCapabilities(topology),
  };
}
