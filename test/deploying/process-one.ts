import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const NAMESPACE = ['--user', '--map-root-user', '--pid', '--fork', '--mount-proc', '--kill-child'];

/** Whether this machine lets a test make a process 1. */
export const hasProcessOne = spawnSync('unshare', [...NAMESPACE, 'true']).status === 0;

/**
 * A command that is process 1 of a namespace of its own, as in a container: what it has no reaction to, it ignores, and
 * with its end all others there are killed.
 */
export class ProcessOne {
  readonly #unshare: ChildProcess;
  readonly #exited: Promise<number | null>;
  output = '';

  constructor(
    command: readonly string[],
    options: { readonly env: NodeJS.ProcessEnv; readonly cwd?: string },
  ) {
    this.#unshare = spawn('unshare', [...NAMESPACE, '--', ...command], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#unshare.stdout, this.#unshare.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    this.#exited = once(this.#unshare, 'exit').then(([code]) => code as number | null);
  }

  get hasExited(): boolean {
    return this.#unshare.exitCode !== null || this.#unshare.signalCode !== null;
  }

  /** Sends it to process 1 from outside, as a container's runtime does. */
  signal(signal: NodeJS.Signals): void {
    const { pid } = this.#unshare;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    if (!/^\d+$/.test(children)) throw new Error(`Expected one child of unshare, came "${children}".`);
    process.kill(Number(children), signal);
  }

  exit(): Promise<number | null> {
    return this.#exited;
  }

  /** Its process 1 goes with it, and all that is there. */
  async kill(): Promise<void> {
    if (!this.hasExited) this.#unshare.kill('SIGKILL');
    await this.#exited;
  }
}
