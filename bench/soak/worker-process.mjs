import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The first ones say what is wrong; all of them would be a heap that grows. */
const MOST_ERRORS = 20;

/** The worker process, and what it says. */
class WorkerProcess {
  events = {};
  errors = [];
  #child;
  #exited;
  /** Who waits for what it says next. One at a time: a race with its end would keep each loser as long as it lives. */
  #waiting = null;

  constructor(child, ledger) {
    this.#child = child;
    this.#exited = once(child, 'exit').then(([code]) => {
      this.#waiting?.reject(new Error(`The worker ended with ${code} while it was to work.`));
      return code;
    });
    child.on('message', (message) => this.#hear(message, ledger));
  }

  /** Resolves when the worker works. */
  started() {
    return this.#next();
  }

  /** What the process says of itself now. */
  sample() {
    const sample = this.#next();
    if (this.#child.connected) this.#child.send('sample');
    else this.#waiting.reject(new Error('The worker ended while it was to work.'));
    return sample;
  }

  /** Lets it stop in order; answers its exit code. */
  stop() {
    this.#child.kill('SIGTERM');
    return this.#exited;
  }

  #next() {
    return new Promise((resolve, reject) => (this.#waiting = { resolve, reject }));
  }

  #hear({ numbers = [], error, ready, sample, events }, ledger) {
    for (const n of numbers) ledger.done(n);
    if (error !== undefined && this.errors.length < MOST_ERRORS) this.errors.push(error);
    if (events !== undefined) this.events = events;
    if (ready === true || sample !== undefined) this.#waiting?.resolve(sample);
  }
}

/** Starts the worker process. `ledger` is told which jobs are done. */
export async function startWorker({ backend, concurrency, ledger }) {
  const program = fileURLToPath(new URL('./worker.mjs', import.meta.url));
  const child = fork(program, [JSON.stringify(backend), String(concurrency)], {
    // A terminal sends its interrupt to both; the worker is stopped when the jobs that are left are done.
    detached: true,
  });
  const worker = new WorkerProcess(child, ledger);
  await worker.started();
  return worker;
}
