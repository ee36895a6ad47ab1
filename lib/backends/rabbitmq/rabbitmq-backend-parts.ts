import type { Broker } from './broker.js';
import type { NamedSettings } from './open-connection.js';

/** What the parts of the backend share. */
export interface RabbitMqBackendParts {
  readonly settings: NamedSettings;
  readonly broker: Broker;
}
