import { setTimeout as pause } from 'node:timers/promises';
import { SoakJob } from './soak-job.mjs';

const TICK_MS = 10;
const MOST_IN_FLIGHT = 64;
/** A worker that falls behind is waited for, so that what waits at the server stays within bounds. */
const MOST_PENDING = 10_000;
const UNIQUE_KEYS = 50;
const NOTE = 'x'.repeat(120);

/** What the pushes of a hundred numbers are: how many numbers each takes, and how it is pushed. */
const KINDS = [
  { from: 0, numbers: 1, push: (queue, [n]) => pushOne(queue, jobOf(n, 'retry')) },
  { from: 4, numbers: 1, push: (queue, [n]) => pushOne(queue, jobOf(n), { delaySeconds: 1 + (n % 3) }) },
  { from: 8, numbers: 3, push: (queue, numbers) => queue.chain(numbers.map((n) => jobOf(n))) },
  {
    from: 14,
    numbers: 1,
    push: (queue, [n]) => pushOne(queue, jobOf(n), { uniqueKey: `key-${n % UNIQUE_KEYS}` }),
  },
  { from: 17, numbers: 1, push: (queue, [n]) => pushOne(queue, jobOf(n, 'defer')) },
  { from: 19, numbers: 1, push: (queue, [n]) => pushOne(queue, jobOf(n, 'fail')) },
  { from: 21, numbers: 1, push: (queue, [n]) => pushOne(queue, jobOf(n), { priority: (n % 3) - 1 }) },
  { from: 30, numbers: 10, push: (queue, numbers) => queue.pushMany(numbers.map((n) => jobOf(n))) },
  { from: 60, numbers: 1, push: (queue, [n]) => pushOne(queue, jobOf(n)) },
];

function jobOf(n, behaviour = 'none') {
  return new SoakJob(n, behaviour, NOTE, '2026-01-01T00:00:00Z');
}

async function pushOne(queue, job, options = {}) {
  return [await queue.push(job, options)];
}

function kindOf(n) {
  const place = n % 100;
  return KINDS.findLast(({ from }) => from <= place);
}

/** Pushes at a steady rate until the signal aborts, and resolves when the last push was answered. */
export async function pushJobs({ queue, ledger, rate, signal, onError }) {
  const startedAt = performance.now();
  const inFlight = new Set();
  let next = 0;
  const launch = () => {
    const { numbers: count, push } = kindOf(next);
    const numbers = Array.from({ length: count }, (_, index) => next + index);
    next += count;
    const pushing = note(push(queue, numbers), numbers, ledger, onError).finally(() =>
      inFlight.delete(pushing),
    );
    inFlight.add(pushing);
  };
  const mayPush = (due) => next < due && inFlight.size < MOST_IN_FLIGHT && ledger.pending < MOST_PENDING;
  while (!signal.aborted) {
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * rate);
    while (mayPush(due)) launch();
    await pause(TICK_MS);
  }
  await Promise.all(inFlight);
}

async function note(answer, numbers, ledger, onError) {
  try {
    const ids = await answer;
    for (const [index, n] of numbers.entries()) {
      if (ids[index] === null) ledger.refused += 1;
      else ledger.push(n);
    }
  } catch (error) {
    ledger.unknown += numbers.length;
    onError(error);
  }
}
