// What a process of a contestant measures. A driver is { push(payload), pushMany(payloads), work(concurrency, onJob), close() };
// onJob is what the handler of a job does, and gets its payload.
import { setTimeout as pause } from 'node:timers/promises';
import { payloadOf } from './payload.mjs';
import { startProfile } from './profile.mjs';

const BULK = 1_000;
const now = () => performance.now();
const payloads = (from, count, bytes) =>
  Array.from({ length: count }, (_, index) => payloadOf(from + index, bytes));

/** Pushes by one loop for some time; `ms` begin when the first `warmMs` are over. */
async function pushFor({ push, loops, step, warmMs, ms }) {
  const start = now();
  let [counted, from, until] = [0, 0, 0];
  let n = 0;
  const loop = async () => {
    while (until === 0 || now() < until) {
      await push(n, step);
      n += step;
      const at = now();
      if (until === 0 && at >= start + warmMs) [from, until] = [at, at + ms];
      else if (from > 0) counted += step;
    }
  };
  await Promise.all(Array.from({ length: loops }, loop));
  return { perSecond: (counted / (now() - from)) * 1_000 };
}

export const measurements = {
  async enqueue(contestant, { mode, bytes, warmMs, ms }) {
    const one = (n) => contestant.push(payloadOf(n, bytes));
    if (mode === 'one') return pushFor({ push: one, loops: 1, step: 1, warmMs, ms });
    if (mode === 'inFlight100') return pushFor({ push: one, loops: 100, step: 1, warmMs, ms });
    const many = (n, step) => contestant.pushMany(payloads(n, step, bytes));
    return pushFor({ push: many, loops: 1, step: BULK, warmMs, ms });
  },

  async fill(contestant, { count, bytes }) {
    for (let n = 0; n < count; n += BULK) {
      await contestant.pushMany(payloads(n, Math.min(BULK, count - n), bytes));
    }
    return null;
  },

  /**
   * Drains a backlog of `count`: the rate from the moment when `warmMs` have gone since the first job, to the last job
   * or the end of the time.
   */
  async drain(contestant, { concurrency, count, warmMs, ms }) {
    let done = 0;
    let [first, from, doneFrom, at] = [0, 0, 0, 0];
    let cpu = null;
    const finished = withResolvers();
    const onJob = () => {
      done += 1;
      if (done > count) return;
      at = now();
      if (first === 0) first = at;
      else if (from === 0 && at - first >= warmMs) {
        [from, doneFrom] = [at, done];
        cpu = process.cpuUsage();
      }
      if (done === count || (from > 0 && at - from >= ms)) finished.resolve();
    };
    const stopProfile = await startProfile(`drain-${concurrency}-${process.pid}`);
    await contestant.work(concurrency, onJob);
    await Promise.race([finished.promise, pause(ms + warmMs + 20_000, null, { ref: false })]);
    const [to, doneTo] = [at, done];
    if (from === 0) throw new Error(`drained ${done} of ${count} before ${warmMs} ms were over`);
    const { user, system } = process.cpuUsage(cpu);
    await stopProfile();
    const jobs = doneTo - doneFrom;
    return {
      perSecond: (jobs / (to - from)) * 1_000,
      cpuMicrosPerJob: (user + system) / jobs,
      rssMb: process.memoryUsage().rss / 2 ** 20,
    };
  },

  /** Works at concurrency 1 and tells the parent when each job starts. */
  async listen(contestant) {
    await contestant.work(1, ({ invoice }) =>
      process.send({ started: invoice, at: String(process.hrtime.bigint()) }),
    );
    return null;
  },

  async ping(contestant, { n, bytes }) {
    const at = process.hrtime.bigint();
    await contestant.push(payloadOf(n, bytes));
    return String(at);
  },

  async close(contestant) {
    await contestant.close();
    return null;
  },
};

function withResolvers() {
  let resolve;
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
}
