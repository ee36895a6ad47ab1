import { InvalidQueueArgumentException } from '../contract/index.js';
import type { QueueConnection } from './queue-connection.js';

/** The name of the connection that `Queue` injects by class. */
export const DEFAULT_CONNECTION = 'default';

/** The connections of one application, by name. */
export class ConnectionDirectory {
  readonly #connections = new Map<string, QueueConnection>();

  add(connection: QueueConnection): void {
    this.#connections.set(connection.name, connection);
  }

  get(name: string): QueueConnection {
    const connection = this.#connections.get(name);
    if (connection !== undefined) return connection;
    const known = [...this.#connections.keys()].map((key) => `"${key}"`).join(', ');
    throw new InvalidQueueArgumentException(
      `Expected the name of a connection, came "${name}". Known: ${known === '' ? 'none' : known}. ` +
        'Add it to `connections` of KinetisQueueModule.',
    );
  }

  all(): readonly QueueConnection[] {
    return [...this.#connections.values()];
  }
}
