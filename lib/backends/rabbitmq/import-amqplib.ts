import { QueueUnavailableException } from '../../contract/index.js';

export type AmqpLib = Pick<typeof import('amqplib'), 'connect'>;

/** Loads amqplib. Throws `QueueUnavailableException` when it is not installed. */
export async function importAmqpLib(): Promise<AmqpLib> {
  try {
    const { connect } = await import('amqplib');
    return { connect };
  } catch (error) {
    throw new QueueUnavailableException(
      'rabbitmq(): expected amqplib 2; it cannot be loaded. Install it: npm install amqplib@2',
      { cause: error },
    );
  }
}
