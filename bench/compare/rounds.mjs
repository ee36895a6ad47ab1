// Measures every contestant in turn, round by round, so that what the machine does meanwhile meets all of them alike.
import { setTimeout as pause } from 'node:timers/promises';
import { ContestantProcess } from './process.mjs';

const CONCURRENCIES = { c1: 1, c10: 10, c100: 100 };
const MODES = ['one', 'inFlight100', 'bulk'];

/** @typedef {{ warmMs: number, ms: number, samples: number, bytes: number, memory: boolean }} Effort */

async function enqueue(place, contestant, mode, { warmMs, ms, bytes }) {
  const pusher = await ContestantProcess.start(contestant, await place.fresh(contestant));
  try {
    return (await pusher.ask('enqueue', { mode, warmMs, ms, bytes })).perSecond;
  } finally {
    await pusher.end();
  }
}

/** A backlog is pushed by a process of its own, but for a store that is its process. */
async function drain(place, contestant, concurrency, count, { warmMs, ms, bytes }) {
  const where = await place.fresh(contestant);
  const worker = await ContestantProcess.start(contestant, where);
  try {
    if (place.inProcess === true) await worker.ask('fill', { count, bytes });
    else {
      const pusher = await ContestantProcess.start(contestant, where);
      await pusher.ask('fill', { count, bytes });
      await pusher.end();
    }
    return await worker.ask('drain', { concurrency, count, warmMs, ms });
  } finally {
    // What is left of the backlog is thrown away with the place.
    await worker.end({ kill: true });
  }
}

/** From before the push to the start of the handler in an idle worker of another process, in milliseconds. */
async function latencies(place, contestant, { samples, bytes }) {
  const where = await place.fresh(contestant);
  const listener = await ContestantProcess.start(contestant, where);
  const pusher = await ContestantProcess.start(contestant, where);
  const millis = [];
  try {
    await listener.ask('listen');
    await pause(500);
    for (let n = -20; n < samples; n += 1) {
      const started = new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error('no worker took a job within 30 s')), 30_000);
        listener.onStarted = ({ at }) => {
          clearTimeout(late);
          resolve(at);
        };
      });
      const pushedAt = await pusher.ask('ping', { n: n + 100, bytes });
      const startedAt = await started;
      if (n >= 0) millis.push(Number(BigInt(startedAt) - BigInt(pushedAt)) / 1e6);
      await pause(5 + Math.random() * 15);
    }
  } finally {
    await listener.end({ kill: true });
    await pusher.end();
  }
  return millis;
}

/** One contestant's figures of one round, by the name of the measurement. */
export async function measureOnce(place, contestant, comparison, effort, only) {
  const figures = {};
  const wants = (name) => only === null || only.some((part) => name.startsWith(part));
  for (const mode of MODES) {
    if (wants(`enqueue.${mode}`)) {
      figures[`enqueue.${mode}`] = await enqueue(place, contestant, mode, effort);
    }
  }
  for (const [name, concurrency] of Object.entries(CONCURRENCIES)) {
    if (!wants(`drain.${name}`)) continue;
    const count = contestant.slow === true ? comparison.backlog[name] / 10 : comparison.backlog[name];
    const { perSecond, cpuMicrosPerJob, rssMb } = await drain(place, contestant, concurrency, count, effort);
    figures[`drain.${name}`] = perSecond;
    figures[`cpuMicrosPerJob.${name}`] = cpuMicrosPerJob;
    figures[`rssMb.${name}`] = rssMb;
  }
  if (wants('latency') && place.inProcess !== true)
    figures.latency = await latencies(place, contestant, effort);
  return figures;
}
