import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const BUILT = join(process.cwd(), 'build/faults/app');
const KEPT_CHARACTERS = 20_000;

export interface TrialProcessOptions {
  readonly name: string;
  readonly script: 'worker' | 'pusher';
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly preload: readonly string[];
}

/** A worker or the pusher of a trial, in a process of its own. */
export class TrialProcess {
  readonly name: string;
  readonly child: ChildProcess;
  /** The end of what it printed. */
  output = '';
  /** A fault was done to it from which it does not come back, or it was told to stop. */
  isGivenUp = false;
  readonly #exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;

  constructor({ name, script, args, environment, preload }: TrialProcessOptions) {
    this.name = name;
    const imports = preload.flatMap((path) => ['--import', path]);
    this.child = spawn(process.execPath, [...imports, join(BUILT, `${script}.js`), ...args], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream
        ?.setEncoding('utf8')
        .on('data', (text: string) => (this.output = (this.output + text).slice(-KEPT_CHARACTERS)));
    }
    this.#exited = once(this.child, 'exit').then(([code, signal]) => ({ code, signal }));
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  exited(): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }> {
    return this.#exited;
  }
}
