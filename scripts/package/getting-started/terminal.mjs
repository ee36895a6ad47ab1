import { spawn } from 'node:child_process';
import { once } from 'node:events';

// Colours of a log line.
// eslint-disable-next-line no-control-regex
const ESCAPES = /\u001b\[[\d;]*m/g;

/** A command as somebody typed it into a terminal of their own: its output, and Ctrl-C. */
export class Terminal {
  #child;
  #closed;
  #printed = '';
  #waiting = new Set();

  constructor(command, { cwd, env }) {
    // A group of its own, since Ctrl-C reaches a command and all that it started.
    this.#child = spawn('sh', ['-c', command], {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        this.#printed += text;
        for (const look of this.#waiting) look();
      });
    }
    this.#closed = once(this.#child, 'close').then(([code, signal]) => code ?? signal);
  }

  get output() {
    return this.#printed.replace(ESCAPES, '');
  }

  /** The exit code, or the name of the signal that ended it. */
  end() {
    return this.#closed;
  }

  /** Waits until the output is as `accept` wants it, for as long as the command runs and three minutes at most. */
  async until(what, accept) {
    let look;
    let timer;
    const seen = new Promise((resolve, reject) => {
      look = () => accept(this.output) && resolve();
      timer = setTimeout(() => reject(new Error('not within three minutes')), 180_000);
      look();
      this.#waiting.add(look);
      void this.#closed.then((code) => reject(new Error(`it ended with ${code}`)));
    });
    try {
      await seen;
    } catch (error) {
      throw new Error(`expected ${what}; ${error.message}. It printed:\n${this.output}`, { cause: error });
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(look);
    }
  }

  /** Ctrl-C; answers how it ended. */
  async interrupt() {
    const timer = setTimeout(() => this.#signal('SIGKILL'), 20_000);
    this.#signal('SIGINT');
    const code = await this.#closed;
    clearTimeout(timer);
    return code;
  }

  #signal(signal) {
    try {
      process.kill(-this.#child.pid, signal);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error; // it has ended
    }
  }
}
