import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerLine } from './apps/ledger.js';

const APPS = join(process.cwd(), 'build/apps');

export interface WorkerProcessOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Compiled modules to load before the worker, by name. */
  readonly preload?: readonly string[];
}

/** A worker in a process of its own, with what it printed. */
export class WorkerProcess {
  readonly child: ChildProcess;
  output = '';
  readonly #exited: Promise<number | null>;

  constructor(app: string, options: WorkerProcessOptions) {
    const preloads = (options.preload ?? []).flatMap((name) => ['--import', join(APPS, `${name}.js`)]);
    this.child = spawn(process.execPath, [...preloads, join(APPS, `${app}.js`), ...(options.args ?? [])], {
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    this.#exited = once(this.child, 'exit').then(([code]) => code as number | null);
  }

  get pid(): number {
    return this.child.pid as number;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Resolves with the exit code, null when a signal ended it. */
  exit(): Promise<number | null> {
    return this.#exited;
  }

  /** For the end of a test: ends the process whatever it does. */
  async kill(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGKILL');
    await this.#exited;
  }
}

/** Every line of a ledger so far. */
export function readLedger(file: string): readonly LedgerLine[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as LedgerLine);
}
