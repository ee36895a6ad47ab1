// An emulator of SQS in a process of its own, which can be stopped: `node sqs-emulator-process.mjs <port> <queue>…`
import { startFauxqs } from 'fauxqs';

const [port, ...queues] = process.argv.slice(2);
const server = await startFauxqs({ port: Number(port), logger: false });
for (const queue of queues) server.createQueue(queue);
console.log('ready to take requests');
