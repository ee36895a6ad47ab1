import { InvalidQueueArgumentException } from '../../../contract/index.js';
import { RESERVED_PREFIX } from './broker-limits.js';

/**
 * The broker's name of a queue: the prefix and the queue's own name. It holds no dot and every other name that is made
 * here does, so that none is ever the name of another queue.
 *
 * Throws `InvalidQueueArgumentException` where the names beside it would begin with what RabbitMQ keeps for itself.
 */
export function workQueueName(prefix: string, queue: string): string {
  const name = `${prefix}${queue}`;
  if (`${name}.` === RESERVED_PREFIX) {
    throw new InvalidQueueArgumentException(
      `Expected a queue name whose dead letters RabbitMQ can keep, came "${queue}": it reserves names that begin with ` +
        `"${RESERVED_PREFIX}". Choose another name, or give rabbitmq() a queuePrefix.`,
    );
  }
  return name;
}

/** Where the dead letters of a queue are kept. `workQueue` is the broker's name, here and below. */
export function deadQueueName(workQueue: string): string {
  return `${workQueue}.dead`;
}

/** Where messages of one queue wait that all have one time to live. */
export function holdQueueName(workQueue: string, ttlMs: number): string {
  return `${workQueue}.deferred.${ttlMs}`;
}

/** Where the messages wait whose delay holds this tier's seconds. */
export function tierQueueName(workQueue: string, tierSeconds: number): string {
  return `${workQueue}.delay.${tierSeconds}s`;
}

/** Where the messages come in that this tier either holds or lets pass. */
export function tierExchangeName(workQueue: string, tierSeconds: number): string {
  return `${tierQueueName(workQueue, tierSeconds)}.in`;
}
