// Pushes by the SDK alone: one message a call, or ten, with ten calls in flight.
import { peer } from '../../peers.mjs';

const { SQSClient, SendMessageBatchCommand, SendMessageCommand } = peer('@aws-sdk/client-sqs');
const IN_FLIGHT = 10;

export function sqsPusher(client, QueueUrl) {
  const sqs = new SQSClient(client);
  return {
    sqs,
    push: (payload) => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(payload) })),
    async pushMany(payloads) {
      let next = 0;
      const loop = async () => {
        while (next < payloads.length) {
          const batch = payloads.slice(next, (next += 10));
          const Entries = batch.map((payload, id) => ({
            Id: String(id),
            MessageBody: JSON.stringify(payload),
          }));
          const { Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
          if (Failed.length > 0) throw new Error(Failed[0].Message);
        }
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, loop));
    },
  };
}
