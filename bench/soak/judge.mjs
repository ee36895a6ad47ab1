import { judgeSlope, meanOf, trendOf } from './trend.mjs';

/** A retained object is this large at least: a heap that grows by less a job keeps none of each job. */
const MOST_HEAP_BYTES_A_JOB = 16;
/** Code that is compiled and connections that are opened take this much in the first minutes; a leak is more in the end. */
const LEAST_LEAK_BYTES = 2_000_000;
const MILLION_IN_MINUTES = 30;
/** What may be stored beside the jobs that wait, more at the end than at the beginning: some keys and steps of chains. */
const MOST_GROWTH_SHARE = 0.2;
const LEAST_GROWTH = 100;

const passes = (condition) => (condition ? 'holds' : 'fails');

/** Checks of one run, each `holds`, `fails` or `cannot tell`, with what was found. */
export function judge(run) {
  return [...judgeJobs(run), ...judgeGrowth(run)];
}

function judgeJobs({ jobs, minutes, events, left, atRest, unit, exitCode }) {
  const { pushed, handled, lost, duplicates, unexpected, unknown } = jobs;
  const troubles = ['JobSettlementLost', 'JobSettlementUnknown', 'JobMalformed'].map(
    (name) => events[name] ?? 0,
  );
  const least = Math.floor((1_000_000 / MILLION_IN_MINUTES) * minutes);
  return [
    {
      check: 'every job that was pushed was done',
      verdict: passes(lost === 0 && unexpected === 0 && unknown === 0 && pushed === handled),
      found: `${count(pushed)} pushed, ${count(handled)} done, ${lost} lost, ${unknown} pushes without an answer`,
    },
    {
      check: 'each was done once',
      verdict: passes(duplicates === 0),
      found: `${duplicates} done twice`,
    },
    {
      check: `at least a million jobs in ${MILLION_IN_MINUTES} minutes`,
      verdict: passes(handled >= least),
      found: `${count(handled)} in ${round(minutes, 1)} minutes`,
    },
    {
      check: 'every settlement was answered, and was current',
      verdict: passes(troubles.every((number) => number === 0)),
      found: `${troubles[0]} lost, ${troubles[1]} of unknown outcome, ${troubles[2]} malformed jobs`,
    },
    {
      check: 'nothing is left at the server',
      verdict: passes(left.items === atRest),
      found: `${left.items} ${unit}, where ${atRest} belong to no job`,
    },
    { check: 'the worker stopped in order', verdict: passes(exitCode === 0), found: `exit code ${exitCode}` },
  ];
}

function judgeGrowth({ samples, unit }) {
  return [
    ...['pusher', 'worker'].map((name) => heap(name, samples)),
    ...['pusher', 'worker'].map((name) => sockets(name, samples)),
    stored(samples, unit),
  ];
}

function heap(name, samples) {
  const trend = trendOf(samples.map((sample) => [sample.handled, sample[name].heapBytes]));
  const { slope, within, mean } = trend;
  return {
    check: `the heap of the ${name} does not grow by the job`,
    verdict: judgeHeap(trend, samples),
    found: `${round(mean / 1e6, 1)} MB; ${round(slope, 2)} ± ${round(within, 2)} bytes a job, at most ${MOST_HEAP_BYTES_A_JOB}`,
    bytesAJob: slope,
    within,
  };
}

function judgeHeap(trend, samples) {
  const verdict = judgeSlope(trend, MOST_HEAP_BYTES_A_JOB);
  const jobs = (samples.at(-1)?.handled ?? 0) - (samples[0]?.handled ?? 0);
  const isLittle = (trend.slope - trend.within) * jobs < LEAST_LEAK_BYTES;
  return verdict === 'fails' && isLittle ? 'cannot tell' : verdict;
}

function sockets(name, samples) {
  const numbers = samples.map((sample) => sample[name].sockets);
  const check = `the sockets of the ${name} stay as many`;
  if (numbers.length < 2 || numbers.includes(null))
    return { check, verdict: 'cannot tell', found: 'not counted' };
  const half = Math.ceil(numbers.length / 2);
  const [before, after] = [numbers.slice(0, half), numbers.slice(half)];
  const range = (some) => `${Math.min(...some)} to ${Math.max(...some)}`;
  // A pool opens and closes within its bounds; a socket that nobody closes raises the fewest.
  return {
    check,
    verdict: passes(Math.min(...after) <= Math.min(...before)),
    found: `${range(before)} before half-time, ${range(after)} after it`,
  };
}

/** Jobs that wait for a worker which has fallen behind are rows too; what must not grow is what is stored beside them. */
function stored(samples, unit) {
  const trend = trendOf(samples.map(({ minute, pending, stored: { items } }) => [minute, items - pending]));
  const span = (samples.at(-1)?.minute ?? 0) - (samples[0]?.minute ?? 0);
  const [growth, within] = [trend.slope * span, trend.within * span];
  const waiting = meanOf(samples.map(({ pending }) => pending));
  return {
    check: `the ${unit} at the server stay as many as the jobs that wait`,
    verdict: judgeSlope({ slope: growth, within }, Math.max(LEAST_GROWTH, MOST_GROWTH_SHARE * waiting)),
    found: `${count(waiting)} jobs wait on average; beside them ${round(growth, 0)} ± ${round(within, 0)} more at the end`,
  };
}

export function count(number) {
  return Math.round(number).toLocaleString('en');
}

export function round(number, digits) {
  return Number.isFinite(number) ? number.toFixed(digits) : 'unknown';
}
