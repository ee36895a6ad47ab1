import type { Channel } from 'amqplib';
import type { Topology } from '../../lib/backends/rabbitmq/topology/index.js';

/** Declares it as it stands, by the client library alone. */
export async function declare(channel: Channel, topology: Topology): Promise<void> {
  for (const step of topology) {
    if (step.kind === 'queue') {
      await channel.assertQueue(step.name, { durable: step.durable, arguments: step.arguments });
    } else if (step.kind === 'exchange') {
      await channel.assertExchange(step.name, step.type, { durable: step.durable });
    } else if (step.to.kind === 'queue') {
      await channel.bindQueue(step.to.name, step.exchange, step.pattern);
    } else {
      await channel.bindExchange(step.to.name, step.exchange, step.pattern);
    }
  }
}
