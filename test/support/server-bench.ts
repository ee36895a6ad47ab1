import { join } from 'node:path';
import type { SqlServerConnectionOptions } from '../../lib/sql.js';
import type { RedisConnection, SqsConnection } from './apps/fixture-environment.js';
import { LedgerReader } from './ledger-reader.js';
import { temporaryFolder } from './sqlite-queue.js';
import { WorkerProcess } from './worker-process.js';

/** A line that a worker logged. */
export interface LoggedLine {
  readonly level: string;
  readonly message: { readonly event?: string; readonly [field: string]: unknown };
}

/** Workers in processes of their own over a server, and the ledger that they write. */
export class ServerBench {
  readonly #folder = temporaryFolder();
  readonly #ledgerFile = join(this.#folder.path, 'ledger');
  readonly ledger = new LedgerReader(this.#ledgerFile);
  readonly workers: WorkerProcess[] = [];

  constructor(
    private readonly connection: SqlServerConnectionOptions | RedisConnection | SqsConnection,
    private readonly leaseSeconds: number,
  ) {}

  startWorker(...args: readonly string[]): WorkerProcess {
    const worker = new WorkerProcess('work-worker', {
      env: {
        DATABASE_CONNECTION: JSON.stringify(this.connection),
        LEDGER_FILE: this.#ledgerFile,
        LEASE_SECONDS: String(this.leaseSeconds),
      },
      args: ['--queue=work', '--poll-timeout=1', ...args],
    });
    this.workers.push(worker);
    return worker;
  }

  /** Tells every worker to stop, and answers their exit codes. */
  stop(): Promise<readonly (number | null)[]> {
    for (const worker of this.workers) worker.signal('SIGTERM');
    return Promise.all(this.workers.map((worker) => worker.exit()));
  }

  /** What the workers logged at these levels. */
  logged(...levels: readonly string[]): readonly LoggedLine[] {
    return this.workers
      .flatMap(({ output }) => loggedIn(output))
      .filter(({ level }) => levels.includes(level));
  }

  /** What the workers printed that is no log line. */
  printed(): readonly string[] {
    return this.workers.flatMap(({ output }) =>
      output.split('\n').filter((line) => line !== '' && !line.startsWith('{')),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.kill()));
    this.#folder.remove();
  }
}

function loggedIn(output: string): LoggedLine[] {
  const lines = output.split('\n').slice(0, -1);
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LoggedLine);
}
