import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Queue } from '../../lib/queue/index.js';
import type { LedgerLine } from './apps/ledger.js';
import { openSqliteQueue, temporaryFolder } from './sqlite-queue.js';
import { waitFor } from './eventually.js';
import { readLedger, WorkerProcess } from './worker-process.js';

export interface StartWorkerOptions {
  readonly leaseSeconds: number;
  readonly args?: readonly string[];
  /** The file that lets this worker's jobs of kind "hold" go on. */
  readonly holdFile?: string;
  readonly preload?: readonly string[];
  /** Variables of this fixture's own. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A SQLite file, a queue over it in the test's own process, and workers in processes of theirs. */
export class ProcessBench {
  readonly #folder = temporaryFolder();
  readonly workers: WorkerProcess[] = [];
  readonly databaseFile = join(this.#folder.path, 'queue.sqlite');
  #open: { readonly queue: Queue; close(): Promise<void> } | null = null;

  async open(leaseSeconds: number): Promise<Queue> {
    this.#open = await openSqliteQueue(this.databaseFile, leaseSeconds);
    return this.#open.queue;
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.kill()));
    await this.#open?.close();
    this.#folder.remove();
  }

  /** Starts a compiled application of test/support/apps. */
  startWorker(app: string, options: StartWorkerOptions): WorkerProcess {
    const { leaseSeconds, args = [], holdFile = 'hold', preload = [], env = {} } = options;
    const worker = new WorkerProcess(app, {
      env: {
        DATABASE_FILE: this.databaseFile,
        LEDGER_FILE: join(this.#folder.path, 'ledger'),
        HOLD_FILE: join(this.#folder.path, holdFile),
        LEASE_SECONDS: String(leaseSeconds),
        ...env,
      },
      args: ['--poll-timeout=1', ...args],
      preload,
    });
    this.workers.push(worker);
    return worker;
  }

  /** Lets the jobs go on that wait for this file. */
  letGo(holdFile = 'hold'): void {
    writeFileSync(join(this.#folder.path, holdFile), '');
  }

  ledger(): readonly LedgerLine[] {
    return readLedger(join(this.#folder.path, 'ledger'));
  }

  lines(event: string, pid?: number): readonly LedgerLine[] {
    return this.ledger().filter((line) => line.event === event && (pid === undefined || line.pid === pid));
  }

  /** Waits for so many lines of an event; a worker that ended meanwhile is shown with what it printed. */
  async seen(event: string, count = 1, pid?: number): Promise<readonly LedgerLine[]> {
    try {
      return await waitFor(`${count} × ${event}`, () => {
        const found = this.lines(event, pid);
        return found.length >= count && found;
      });
    } catch (error) {
      const ended = this.workers.filter(({ child }) => child.exitCode !== null);
      const printed = ended.map((worker) => `\n--- worker ${worker.pid} ended:\n${worker.output}`);
      throw new Error(`${String(error)}${printed.join('')}`, { cause: error });
    }
  }
}
