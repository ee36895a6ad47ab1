// The queue of each cell is deleted before the next, on the broker of KINETIS_TEST_RABBITMQ_URL or of this machine.
import { peer } from '../peers.mjs';

const amqp = peer('amqplib');
const url = process.env.KINETIS_TEST_RABBITMQ_URL ?? 'amqp://guest:guest@127.0.0.1:5672';

export async function openPlace() {
  const connection = await amqp.connect(url);
  const { version } = connection.connection.serverProperties;
  const prefix = `kinetis-test-bench-${process.pid}`;
  let cells = 0;
  const removeLast = async () => {
    const channel = await connection.createChannel();
    channel.on('error', () => {});
    // What our backend declares for a queue, and the queue of the others.
    for (const name of [
      `${prefix}-${cells}`,
      `${prefix}-${cells}.default`,
      `${prefix}-${cells}.default.dead`,
    ]) {
      await channel.deleteQueue(name).catch(() => {});
    }
    await channel.close().catch(() => {});
  };
  return {
    settings: `RabbitMQ ${version}, classic durable queues, persistent messages, confirmed`,
    async fresh() {
      await removeLast();
      cells += 1;
      const name = `${prefix}-${cells}`;
      return { url, queue: name, ours: { name: 'rabbitmq', options: { url, queuePrefix: name } } };
    },
    async close() {
      await removeLast();
      await connection.close();
    },
  };
}
