// The SQS emulator in a process of its own; a queue of its own for each cell.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { peer } from '../peers.mjs';

const { SQSClient, CreateQueueCommand } = peer('@aws-sdk/client-sqs');

export async function openPlace() {
  const emulator = fork(fileURLToPath(new URL('sqs-emulator.mjs', import.meta.url)));
  const [{ port }] = await once(emulator, 'message');
  const endpoint = `http://127.0.0.1:${port}`;
  const client = { endpoint, region: 'us-east-1', credentials: { accessKeyId: 'x', secretAccessKey: 'x' } };
  const sqs = new SQSClient(client);
  let cells = 0;
  return {
    settings: 'fauxqs 1.9.2, an emulator of SQS, in a process of its own',
    async fresh() {
      cells += 1;
      const prefix = `cell${cells}-`;
      const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: `${prefix}default` }));
      return { client, queueUrl: QueueUrl, ours: { name: 'sqs', options: { client, queuePrefix: prefix } } };
    },
    async close() {
      sqs.destroy();
      emulator.kill('SIGKILL');
      await once(emulator, 'exit');
    },
  };
}
