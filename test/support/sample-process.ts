import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { waitFor } from './eventually.js';

/** A folder of the test's own, and the environment that keeps everything the sample writes inside of it. */
export async function sampleFolder(): Promise<{
  readonly env: Readonly<Record<string, string>>;
  read(file: 'outbox.log' | 'reports.log'): string;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'kinetis-queue-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return {
    env: {
      PORT: '0',
      SAMPLE_DATABASE_FILE: join(folder, 'sample.sqlite'),
      SAMPLE_OUTBOX_FILE: join(folder, 'outbox.log'),
      SAMPLE_REPORTS_FILE: join(folder, 'reports.log'),
      QUEUE_FILE: join(folder, 'queue.sqlite'),
    },
    read: (file) => readFileSync(join(folder, file), 'utf8'),
  };
}

/** A script of the repository as a process, with what it printed. Ended when the test ends, in order where it can be. */
export class SampleProcess {
  readonly child: ChildProcess;
  output = '';
  readonly #exited: Promise<number | string>;

  constructor(env: Readonly<Record<string, string>>, ...args: string[]) {
    this.child = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    this.#exited = once(this.child, 'close').then(
      ([code, signal]: (number | string)[]) => code ?? signal ?? '',
    );
    onTestFinished(() => this.#end());
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Resolves with the exit code, or the name of the signal that ended it, once it and its children closed its output. */
  exit(): Promise<number | string> {
    return this.#exited;
  }

  /** Waits until it printed something; answers the first group, or all of it. */
  async printed(pattern: RegExp): Promise<string> {
    try {
      const match = await waitFor(String(pattern), () => pattern.exec(this.output) ?? undefined, 60_000);
      return match[1] ?? match[0];
    } catch (error) {
      throw new Error(`${String(error)}\nIt printed: ${this.output}`, { cause: error });
    }
  }

  async #end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    // In order first: scripts/start.mjs has children that a SIGKILL would leave behind.
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 10_000);
    await this.#exited;
    clearTimeout(timer);
  }
}
