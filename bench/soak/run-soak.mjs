import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import { Queue, QueueAdmin } from '../../dist/lib/index.js';
import { backendOf } from '../support/ping-backend.mjs';
import { judge } from './judge.mjs';
import { Ledger } from './ledger.mjs';
import { places } from './places.mjs';
import { processSampler } from './process-sample.mjs';
import { pushJobs } from './push-jobs.mjs';
import { figuresOf, verdictOf } from './report.mjs';
import { startSampling } from './sampling.mjs';
import { DoneJobs } from './soak-job.mjs';
import { EventCounts, moduleOver } from './soak-module.mjs';
import { startWorker } from './worker-process.mjs';

const RETRY_EVERY_MS = 5_000;
/** The jobs that are left when the pushes end are waited for as long as they become fewer within this time. */
const PATIENCE_MS = 60_000;

const say = (line) => process.stderr.write(`${line}\n`);

/** Runs one soak on one backend; answers what it found. */
export async function soak({ backend: name, minutes, rate, concurrency, signal }) {
  const place = await places[name]();
  try {
    return await soakOn(place, { name, minutes, rate, concurrency, signal });
  } finally {
    await place.close();
  }
}

async function soakOn(place, { name, minutes, rate, concurrency, signal }) {
  say(`${place.version}: ${minutes} minutes at ${rate} jobs a second`);
  const ledger = new Ledger();
  const worker = await startWorker({ backend: place.backend, concurrency, ledger });
  const app = await NestFactory.createApplicationContext(
    moduleOver(await backendOf(place.backend), { done: new DoneJobs(), events: new EventCounts() }),
    { logger: false },
  );
  const admin = await app.resolve(QueueAdmin);
  const retrying = retryFailedJobs(admin);
  const over = endAfter(minutes, signal);
  const startedAt = performance.now();
  const sampling = startSampling({
    ledger,
    worker,
    place,
    minutes,
    sampleSelf: processSampler(),
    say,
    signal: over,
  });
  const pushErrors = [];
  await pushJobs({
    queue: app.get(Queue),
    ledger,
    rate,
    signal: over,
    onError: (error) => pushErrors.length < 20 && pushErrors.push(error),
  });
  const pushedMinutes = (performance.now() - startedAt) / 60_000;
  const samples = await sampling;
  say('pushed; waiting for the jobs that are left');
  await drained(ledger);
  await worker.sample();
  const retried = await retrying.stop();
  const exitCode = await worker.stop();
  const left = await place.stored();
  await app.close();
  for (const error of [...pushErrors, ...worker.errors].slice(0, 5))
    say(JSON.stringify(error?.message ?? error));
  const { pushed, handled, duplicates, refused, unknown } = ledger;
  const run = {
    backend: name,
    version: place.version,
    unit: place.unit,
    atRest: place.atRest,
    rate,
    concurrency,
    minutes: pushedMinutes,
    jobs: { pushed, handled, duplicates, refused, unknown, ...ledger.account },
    events: worker.events,
    retried,
    left,
    exitCode,
  };
  const checks = judge({ ...run, samples });
  return { ...run, verdict: verdictOf(checks), checks, figures: figuresOf(samples), samples };
}

/** Aborts when the time is over, or with the other signal. */
function endAfter(minutes, signal) {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), minutes * 60_000);
  const stop = () => {
    clearTimeout(timer);
    end.abort();
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return end.signal;
}

/** Puts what was given up on back, now and then; those jobs are done when they come for the second time. */
function retryFailedJobs(admin) {
  const stop = new AbortController();
  const work = async () => {
    let retried = 0;
    while (!stop.signal.aborted) {
      retried += (await admin.failed.retryAll()).retried;
      await pause(RETRY_EVERY_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
    return retried;
  };
  const working = work();
  return {
    stop() {
      stop.abort();
      return working;
    },
  };
}

async function drained(ledger) {
  let fewest = Infinity;
  let since = performance.now();
  while (ledger.pending > 0 && performance.now() - since < PATIENCE_MS) {
    if (ledger.pending < fewest) [fewest, since] = [ledger.pending, performance.now()];
    await pause(100);
  }
  // What would come twice comes within the time that the longest delay takes.
  await pause(5_000);
}
