// An emulator of SQS in a thread of its own: it reads the time from `Date.now`, which can be moved here and nowhere else.
import { parentPort } from 'node:worker_threads';

const now = Date.now;
let passedMs = 0;
Date.now = () => now() + passedMs;

const { startFauxqs } = await import('fauxqs');
const server = await startFauxqs({ port: 0, logger: false });

const operations = {
  advance: (seconds) => void (passedMs += seconds * 1_000),
  createQueue: (name, attributes) => {
    if (server.inspectQueue(name) === undefined) server.createQueue(name, { attributes });
  },
  deleteQueue: (name) => server.deleteQueue(name),
  inspect: (name) => server.inspectQueue(name)?.messages ?? null,
};

parentPort.on('message', async ({ id, operation, args }) => {
  try {
    const answer = await operations[operation](...args);
    parentPort.postMessage({ id, answer }, []);
  } catch (error) {
    parentPort.postMessage({ id, error }, []);
  }
});
parentPort.postMessage({ id: 0, answer: server.port }, []);
