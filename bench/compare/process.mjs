// The parent's side of a contestant's process.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('child.mjs', import.meta.url));

export class ContestantProcess {
  #child;
  #calls = new Map();
  #next = 0;
  /** Called with what a listening process tells of a job. */
  onStarted = () => {};

  static async start({ driver, options = {}, node }, where) {
    const started = new ContestantProcess();
    const execPath = node ?? process.execPath;
    const child = fork(script, [JSON.stringify({ driver, where, options })], {
      execPath,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    started.#child = child;
    child.on('message', (message) => started.#receive(message));
    child.on('exit', (code) => started.#failAll(new Error(`the process of ${driver} ended with ${code}`)));
    await started.#answer('ready');
    return started;
  }

  ask(command, args = {}) {
    const call = (this.#next += 1);
    const answer = this.#answer(call);
    this.#child.send({ call, command, args });
    return answer;
  }

  /** Ends the process. One that measured a part of a backlog is not asked to finish it. */
  async end({ kill = false } = {}) {
    const exit = this.#child.exitCode === null ? once(this.#child, 'exit') : Promise.resolve();
    if (!kill) await this.ask('close').catch(() => {});
    this.#calls.clear();
    this.#child.kill('SIGKILL');
    await exit;
  }

  #answer(call) {
    return new Promise((resolve, reject) => this.#calls.set(call, { resolve, reject }));
  }

  #receive(message) {
    if (message.started !== undefined) return this.onStarted(message);
    const waiting = this.#calls.get(message.call);
    this.#calls.delete(message.call);
    if (message.error === undefined) waiting?.resolve(message.answer);
    else waiting?.reject(new Error(message.error));
  }

  #failAll(error) {
    for (const { reject } of this.#calls.values()) reject(error);
    this.#calls.clear();
  }
}
