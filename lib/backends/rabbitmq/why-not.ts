import type { QueueBackend } from '../../contract/index.js';
import type { RabbitMqSettings } from './rabbitmq.options.js';

/** What other options of `rabbitmq()` would allow. */
export function whyNot({
  topology,
  failedJobs,
}: Pick<RabbitMqSettings, 'topology' | 'failedJobs'>): NonNullable<QueueBackend['whyNot']> {
  return {
    ...(topology.delays === 'hold' ? { clear: HOLD } : {}),
    ...(topology.maxPriority === null
      ? { priority: topology.queueType === 'quorum' ? QUORUM : NO_LEVELS }
      : {}),
    ...(failedJobs ? {} : { failedJobs: 'rabbitmq() was given `failedJobs: false`.' }),
  };
}

const HOLD =
  "Its delayed jobs wait in queues that nobody can list; with `delays: 'ladder'`, the default, rabbitmq() can clear.";
const QUORUM =
  "Its quorum queues have no priorities; with `queueType: 'classic'`, the default, rabbitmq() has them.";
const NO_LEVELS = 'rabbitmq() was given `maxPriority: 0`; its classic queues have 10 levels by default.';
