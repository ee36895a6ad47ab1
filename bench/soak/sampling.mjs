import { setTimeout as pause } from 'node:timers/promises';
import { count, round } from './judge.mjs';

const SAMPLES = 120;
const LEAST_SECONDS = 1;
const MOST_SECONDS = 15;
const WARM_UP_SHARE = 0.25;
const LONGEST_WARM_UP_MINUTES = 5;

/** Samples both processes and the server until the signal aborts; answers those after the warm-up. */
export async function startSampling({ ledger, worker, place, minutes, sampleSelf, say, signal }) {
  const every = Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, (minutes * 60) / SAMPLES)) * 1_000;
  const warmUp = Math.min(LONGEST_WARM_UP_MINUTES, minutes * WARM_UP_SHARE);
  const startedAt = performance.now();
  const samples = [];
  while (!signal.aborted) {
    await pause(every, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const { handled } = ledger;
    const [workers, stored] = [await worker.sample(), await place.stored()];
    const { pending } = ledger;
    const minute = (performance.now() - startedAt) / 60_000;
    const sample = { minute, handled, pending, pusher: sampleSelf(), worker: workers, stored };
    if (minute > warmUp) samples.push(sample);
    say(lineOf(sample, ledger, place));
  }
  return samples;
}

function lineOf({ minute, pending, pusher, worker, stored }, { pushed, handled, duplicates }, { unit }) {
  const both = (field, digits, by = 1) =>
    [pusher, worker].map((one) => round(one[field] / by, digits)).join('/');
  return [
    `${round(minute, 2)} min`,
    `pushed ${count(pushed)}`,
    `done ${count(handled)}`,
    `twice ${duplicates}`,
    `heap ${both('heapBytes', 1, 1e6)} MB`,
    `resident ${both('rssBytes', 0, 1e6)} MB`,
    `sockets ${both('sockets', 0)}`,
    `waiting ${count(pending)}`,
    `${unit} ${count(stored.items)}`,
    `lag p99 ${both('lagP99Ms', 0)} ms`,
  ].join('  ');
}
