import { setTimeout as pause } from 'node:timers/promises';
import { INTERNAL_ERROR, NOT_FOUND, replyCodeOf } from './broker-errors.js';
import type { BrokerSession } from './broker-session.js';
import type { RabbitMqBackendParts } from './rabbitmq-backend-parts.js';

/** How long the process of a quorum queue that was just declared is given to start. */
const START_MS = 100;

/**
 * Takes from a queue of jobs that was declared. Tries it a second time where the queue was deleted, and where the broker
 * ended the connection over it: it does that to whoever asks for a message of a quorum queue that another connection is
 * declaring at that moment, since such a queue is there before its process runs.
 */
export async function fromDeclaredQueue<T>(
  parts: RabbitMqBackendParts,
  queue: string,
  take: (session: BrokerSession) => Promise<T>,
): Promise<T> {
  for (let isSecond = false; ; isSecond = true) {
    const session = await parts.delivering.session();
    try {
      await session.declarations.work(queue);
      return await take(session);
    } catch (error) {
      const isDeleted = replyCodeOf(error) === NOT_FOUND;
      // What was held of it went with it.
      if (isDeleted) session.declarations.forget(queue);
      const isEnded = replyCodeOf(session.endedOf) === INTERNAL_ERROR;
      if (isSecond || !(isDeleted || isEnded)) throw isEnded ? session.endedOf : error;
      if (isEnded) await pause(START_MS);
    }
  }
}
