import type { Broker } from './broker.js';
import type { NamedSettings } from './open-connection.js';

/**
 * What the parts of the backend share. A broker whose alarm is on stops to read what comes by a connection that
 * publishes; by another it still takes the acknowledgements that make room.
 */
export interface RabbitMqBackendParts {
  readonly settings: NamedSettings;
  /** The connection that jobs, and what takes the place of a delivery, are published over. */
  readonly publishing: Broker;
  /** The connection for everything else: deliveries, their ends, and questions. */
  readonly delivering: Broker;
}
