import { DEFAULT_CONNECTION } from '../queue/connection-directory.js';
import { ClearableQueue, Queue, QueueAdmin, QueueConsumer } from '../queue/index.js';

/** What can be injected for a connection. */
export type QueueFacade = typeof Queue | typeof ClearableQueue | typeof QueueAdmin | typeof QueueConsumer;

/** A provider's token: a class for `default`, a text for any other connection. */
export type QueueToken = QueueFacade | string;

export const QUEUE_FACADES: readonly QueueFacade[] = [Queue, ClearableQueue, QueueAdmin, QueueConsumer];

/**
 * The token of a connection's provider, for `overrideProvider`, `inject` and `moduleRef.get`. For `default` it is the
 * class itself.
 *
 * @publicApi
 */
export function getQueueToken(
  connection: string = DEFAULT_CONNECTION,
  facade: QueueFacade = Queue,
): QueueToken {
  return connection === DEFAULT_CONNECTION ? facade : `${facade.name}(${connection})`;
}

/** The connection that a token of `getQueueToken` names, null for any other token. */
export function connectionOfToken(token: unknown): string | null {
  if (typeof token !== 'string') return null;
  const [, facade, connection] = /^(\w+)\((.+)\)$/.exec(token) ?? [];
  return QUEUE_FACADES.some(({ name }) => name === facade) ? (connection ?? null) : null;
}
