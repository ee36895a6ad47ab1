// The worker process: it tells its parent which jobs are done, and a sample of itself when it is asked.
import { runWorker } from '../../dist/lib/index.js';
import { backendOf } from '../support/ping-backend.mjs';
import { processSampler } from './process-sample.mjs';
import { DoneJobs } from './soak-job.mjs';
import { EventCounts, moduleOver } from './soak-module.mjs';

const TELL_EVERY_MS = 100;

const [description, concurrency] = process.argv.slice(2);
const backend = await backendOf(JSON.parse(description));
const done = new DoneJobs();
const events = new EventCounts();
const sample = processSampler();

function tellDone(then) {
  const numbers = done.take();
  if (numbers.length > 0) process.send({ numbers }, then);
  else then?.();
}

// A parent that is gone waits for nothing.
process.on('disconnect', () => process.exit(1));
setInterval(tellDone, TELL_EVERY_MS).unref();
process.on('message', () => process.send({ sample: sample(), events: events.counts }));

const quiet = {
  log() {},
  warn() {},
  debug() {},
  verbose() {},
  // Jobs that are given up on are meant to be; they are counted by their events.
  error: (line) => line?.event !== 'job.failed' && process.send({ error: line }),
};
await runWorker(moduleOver(backend, { done, events }), {
  logger: quiet,
  argv: [`--concurrency=${concurrency}`],
  configure: () => process.send({ ready: true }),
  exit: (code) => tellDone(() => process.exit(code)),
});
