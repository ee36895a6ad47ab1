import { durableQueue, type QueueDeclaration, type Topology } from './declarations.js';
import { ladderFoot } from './ladder.js';
import { deadQueueName, workQueueName } from './names.js';
import { deadLetterArguments, typeArguments } from './queue-arguments.js';
import type { TopologySettings } from './topology-settings.js';

/** Dead letters are few and read one by one, never by priority: always classic, without a bound in time. */
export function deadQueue({ prefix }: Pick<TopologySettings, 'prefix'>, queue: string): QueueDeclaration {
  return durableQueue(deadQueueName(workQueueName(prefix, queue)), typeArguments('classic'));
}

function workQueue(settings: TopologySettings, queue: string): QueueDeclaration {
  const { queueType, maxPriority, messageTtlMs, prefix } = settings;
  const name = workQueueName(prefix, queue);
  return durableQueue(name, {
    ...typeArguments(queueType),
    ...(maxPriority === null ? {} : { 'x-max-priority': maxPriority }),
    ...(messageTtlMs === null
      ? {}
      : {
          'x-message-ttl': messageTtlMs,
          ...deadLetterArguments(queueType, { exchange: '', routingKey: deadQueueName(name) }),
        }),
  });
}

/**
 * What a push, a reserve or a return needs of a queue before anything else, and again after the queue was deleted: the
 * queue, and the ends that others lead to it by.
 */
export function workTopology(settings: TopologySettings, queue: string): Topology {
  const declared = workQueue(settings, queue);
  return [
    // A job that expires where no dead letters are kept would be gone.
    ...(settings.messageTtlMs === null ? [] : [deadQueue(settings, queue)]),
    declared,
    ...(settings.delays === 'ladder' ? ladderFoot(declared.name) : []),
  ];
}
