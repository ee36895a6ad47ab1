// @golevelup/nestjs-rabbitmq in a Nest application: its confirm channel, a subscriber with its own channel whose prefetch
// is the concurrency.
import 'reflect-metadata';
import { esmPeer, peer } from '../../peers.mjs';

const { NestFactory } = await esmPeer('@nestjs/core');
const { RabbitMQModule, AmqpConnection } = peer('@golevelup/nestjs-rabbitmq');

export async function open({ url, queue }) {
  class BenchModule {}
  const start = (prefetchCount) =>
    NestFactory.createApplicationContext(
      {
        module: BenchModule,
        imports: [
          RabbitMQModule.forRoot({
            uri: url,
            prefetchCount,
            connectionInitOptions: { wait: true },
            logger: { log() {}, warn() {}, debug() {}, error: console.error },
          }),
        ],
      },
      { logger: ['error'] },
    );
  let app = await start(10);
  let connection = app.get(AmqpConnection);
  await connection.managedChannel.waitForConnect();
  await connection.channel.assertQueue(queue, { durable: true });
  const push = (payload) => connection.publish('', queue, payload, { persistent: true, mandatory: true });
  return {
    push,
    pushMany: (payloads) => Promise.all(payloads.map(push)),
    async work(concurrency, onJob) {
      await app.close();
      app = await start(concurrency);
      connection = app.get(AmqpConnection);
      await connection.createSubscriber(
        async (payload) => void onJob(payload),
        { queue, createQueueIfNotExists: false, queueOptions: { durable: true } },
        'bench',
      );
    },
    close: () => app.close(),
  };
}
