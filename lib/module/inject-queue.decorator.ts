import { Inject } from '@nestjs/common';
import { Queue } from '../queue/index.js';
import { getQueueToken, type QueueFacade } from './queue-token.js';

/**
 * Injects a connection's queue, or one of the less common views of it:
 * `@InjectQueue('ledger') queue: Queue`, `@InjectQueue('ledger', QueueAdmin) admin: QueueAdmin`.
 *
 * @publicApi
 */
export function InjectQueue(
  connection: string,
  facade: QueueFacade = Queue,
): PropertyDecorator & ParameterDecorator {
  return Inject(getQueueToken(connection, facade));
}
