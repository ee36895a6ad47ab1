import { ClearableQueue, DEFAULT_CONNECTION, Queue, QueueAdmin, QueueConsumer } from '../queue/index.js';

/** What can be injected for a connection. */
export type QueueFacade = typeof Queue | typeof ClearableQueue | typeof QueueAdmin | typeof QueueConsumer;

/** A provider's token: a class for `default`, a text for any other connection. */
export type QueueToken = QueueFacade | string;

/** What a token stands for. */
export interface TokenMeaning {
  readonly connection: string;
  readonly facade: QueueFacade;
}

/**
 * Every text that was made into a token in this process, and nothing else: which connections there are is each
 * application's own. Nest answers an unknown token before any code of ours could, so that a module has to know what may
 * be asked for, to answer with the names that exist.
 */
const meanings = new Map<string, TokenMeaning>();

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
  if (connection === DEFAULT_CONNECTION) return facade;
  const token = `${facade.name}(${connection})`;
  meanings.set(token, { connection, facade });
  return token;
}

/** What a token of `getQueueToken` stands for, null for any other token. */
export function meaningOf(token: unknown): TokenMeaning | null {
  return typeof token === 'string' ? (meanings.get(token) ?? null) : null;
}

/** Tokens that were asked for and name none of these connections. */
export function unknownTokens(connections: readonly string[]): readonly (readonly [string, TokenMeaning])[] {
  return [...meanings].filter(([, { connection }]) => !connections.includes(connection));
}
