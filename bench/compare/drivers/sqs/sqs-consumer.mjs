// Consumers that receive batches of ten, as many of them as the concurrency has tens; one receives one at a time at a
// concurrency of 1. Pushes go by the SDK: the library consumes only.
import { esmPeer } from '../../peers.mjs';
import { sqsPusher } from './pusher.mjs';

const { Consumer } = await esmPeer('sqs-consumer');

export async function open({ client, queueUrl }) {
  const { sqs, push, pushMany } = sqsPusher(client, queueUrl);
  const consumers = [];
  return {
    push,
    pushMany,
    async work(concurrency, onJob) {
      for (let started = 0; started < concurrency; started += 10) {
        const batchSize = Math.min(10, concurrency);
        const consumer = Consumer.create({
          queueUrl,
          sqs,
          batchSize,
          waitTimeSeconds: 5,
          handleMessageBatch: async (messages) => {
            for (const { Body } of messages) onJob(JSON.parse(Body));
            return messages;
          },
        });
        consumer.on('error', () => {});
        consumer.start();
        consumers.push(consumer);
      }
    },
    async close() {
      for (const consumer of consumers) consumer.stop({ abort: true });
      sqs.destroy();
    },
  };
}
