// amqplib alone: a confirm channel, a consumer whose prefetch is the concurrency, each delivery acknowledged by itself.
import { peer } from '../../peers.mjs';

const amqp = peer('amqplib');

export async function open({ url, queue }) {
  const connection = await amqp.connect(url);
  connection.on('error', () => {});
  const channel = await connection.createConfirmChannel();
  await channel.assertQueue(queue, { durable: true });
  const push = (payload) =>
    new Promise((resolve, reject) => {
      const content = Buffer.from(JSON.stringify(payload));
      channel.sendToQueue(queue, content, { persistent: true, mandatory: true }, (error) =>
        error === null || error === undefined ? resolve() : reject(error),
      );
    });
  return {
    push,
    pushMany: (payloads) => Promise.all(payloads.map(push)),
    async work(concurrency, onJob) {
      await channel.prefetch(concurrency);
      await channel.consume(queue, (message) => {
        onJob(JSON.parse(message.content.toString()));
        channel.ack(message);
      });
    },
    close: () => connection.close(),
  };
}
