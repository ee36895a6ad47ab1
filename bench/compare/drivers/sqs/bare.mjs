// The SDK alone: batches of ten, as many receives in flight as the concurrency has tens.
import { peer } from '../../peers.mjs';
import { sqsPusher } from './pusher.mjs';

const { DeleteMessageBatchCommand, ReceiveMessageCommand } = peer('@aws-sdk/client-sqs');

export async function open({ client, queueUrl: QueueUrl }) {
  const { sqs, push, pushMany } = sqsPusher(client, QueueUrl);
  return {
    push,
    pushMany,
    async work(concurrency, onJob) {
      const MaxNumberOfMessages = Math.min(10, concurrency);
      const loop = async () => {
        for (;;) {
          const receive = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages, WaitTimeSeconds: 5 });
          const { Messages = [] } = await sqs.send(receive);
          for (const { Body } of Messages) onJob(JSON.parse(Body));
          const Entries = Messages.map(({ ReceiptHandle }, id) => ({ Id: String(id), ReceiptHandle }));
          if (Entries.length > 0) await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
        }
      };
      for (let started = 0; started < concurrency; started += 10) loop().catch(() => {});
    },
    close: async () => sqs.destroy(),
  };
}
