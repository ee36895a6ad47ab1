import type { BackendFactory } from '../../contract/index.js';
import { importAmqpLib } from './import-amqplib.js';
import { RabbitMqBackend } from './rabbitmq.backend.js';
import { rabbitMqSettings, type RabbitMqOptions } from './rabbitmq.options.js';

/**
 * Jobs in RabbitMQ 3.10 or later, reached through amqplib: durable queues, classic or quorum, with confirmed publishes.
 * What is promised is as durable as the broker's queues are.
 *
 * Throws `QueueConfigurationException` for an option that cannot be used; the factory rejects with
 * `QueueUnavailableException` when amqplib is not installed.
 *
 * @publicApi
 */
export function rabbitmq(options: RabbitMqOptions = {}): BackendFactory {
  const settings = rabbitMqSettings(options);
  return async (context) => {
    await importAmqpLib();
    const connectionName = settings.connectionName ?? `kinetis ${context.connection}`;
    return new RabbitMqBackend({ ...settings, connectionName }, (message) => context.warn(message));
  };
}
