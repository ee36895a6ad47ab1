import type { StartWorkerOptions } from './start-worker-options.js';
import { waitFor } from '../../support/eventually.js';
import type { FaultEntry, FaultName, HandleEntry } from '../ledger/entries.js';
import { LedgerReader } from '../ledger/ledger-reader.js';
import { LedgerWriter } from '../ledger/ledger-writer.js';
import type { Random } from '../random.js';
import type { FaultTarget, Role } from '../target.js';
import { deliveriesInFlight } from './in-flight.js';
import { TrialProcess } from './trial-process.js';

export interface TrialOptions {
  readonly target: FaultTarget;
  readonly random: Random;
  readonly jobs: number;
  readonly folder: string;
  /** What every worker of this cell is started with. */
  readonly workers: StartWorkerOptions;
  readonly pusherEnvironment: Readonly<Record<string, string>>;
  /** Modules that every process loads first, by path: a broken library, for instance. */
  readonly preload: readonly string[];
}

/** A delivery that is under way, and who has it. */
export interface Busy {
  readonly worker: TrialProcess;
  readonly start: HandleEntry;
}

/** A worker that cannot live is not started for ever. */
const MOST_WORKERS = 30;
/** Jobs at a time in each worker. */
const CONCURRENCY = 4;

/** A trial as a cell sees it: processes to start and to hurt, and the ledgers to see by when. */
export class Trial {
  readonly target: FaultTarget;
  readonly random: Random;
  readonly jobs: number;
  readonly folder: string;
  readonly ledger: LedgerReader;
  readonly writer: LedgerWriter;
  readonly processes: TrialProcess[] = [];
  pusher: TrialProcess | null = null;
  /** Its folder is left for whoever looks into it. */
  isKept = false;
  /** Jobs that run for long enough to be hit for sure. */
  slowJobs: ReadonlySet<number> = new Set();
  /** No process is started any more. */
  isStopping = false;
  #faults = 0;
  #workers = 0;

  constructor(private readonly options: TrialOptions) {
    const { target, random, jobs, folder } = options;
    this.target = target;
    this.random = random;
    this.jobs = jobs;
    this.folder = folder;
    this.ledger = new LedgerReader(folder);
    this.writer = new LedgerWriter(folder, 'trial');
  }

  /** Workers that run, and that no fault has taken away. */
  get workers(): readonly TrialProcess[] {
    return this.processes.filter(
      (process) => process !== this.pusher && !process.isGivenUp && !process.hasEnded,
    );
  }

  startWorker(more: StartWorkerOptions = {}): TrialProcess {
    const { workers: common, preload } = this.options;
    this.#workers += 1;
    return this.#start('workers', `worker-${this.#workers}`, 'worker', {
      args: [
        `--concurrency=${CONCURRENCY}`,
        '--poll-timeout=1',
        ...(common.args ?? []),
        ...(more.args ?? []),
      ],
      environment: { ...common.environment, ...more.environment },
      preload: [...preload, ...(common.preload ?? []), ...(more.preload ?? [])],
    });
  }

  startPusher(): TrialProcess {
    const { pusherEnvironment: environment, preload } = this.options;
    this.pusher = this.#start('pusher', 'pusher', 'pusher', { args: [], environment, preload });
    return this.pusher;
  }

  #start(
    role: Role,
    name: string,
    script: 'worker' | 'pusher',
    more: Required<StartWorkerOptions>,
  ): TrialProcess {
    const environment = {
      ...this.target.environment(role),
      FAULT_FOLDER: this.folder,
      FAULT_PROCESS: name,
      FAULT_SEED: String(this.random.seed),
      FAULT_BLOCK_MS: String(1_300 * this.target.leaseSeconds),
      QUEUE_SCHEMA_GRACE: '0',
      ...more.environment,
    };
    const process = new TrialProcess({ name, script, args: more.args, preload: more.preload, environment });
    this.processes.push(process);
    void process.exited().then((how) => {
      this.writer.write({ kind: 'exit', of: name, ...how });
      if (script === 'worker' && !process.isGivenUp) this.#replace(process);
    });
    return process;
  }

  /** As whoever looks after processes would: one that ends by itself is started again, up to a number. */
  #replace(process: TrialProcess): void {
    process.isGivenUp = true;
    if (!this.isStopping && this.#workers < MOST_WORKERS) this.startWorker();
  }

  /** Writes that a fault begins, before it is done. Answers its number, for `healed()`. */
  fault(
    fault: FaultName,
    of: string,
    more: Partial<Pick<FaultEntry, 'id' | 'attempt' | 'detail'>> = {},
  ): number {
    this.#faults += 1;
    this.writer.write({ kind: 'fault', fault, of, number: this.#faults, ...more });
    return this.#faults;
  }

  healed(number: number): void {
    this.writer.write({ kind: 'healed', number });
  }

  /** Waits until so many deliveries have begun, in all. */
  async started(count: number): Promise<void> {
    await this.ledger.seen('start', count);
  }

  /** Deliveries that workers have under way, at this very moment. */
  busyNow(): readonly Busy[] {
    return deliveriesInFlight(this.ledger.entries()).flatMap((start) => {
      const worker = this.workers.find(({ name }) => name === start.process);
      return worker === undefined ? [] : [{ worker, start }];
    });
  }

  /** Waits until one of a slow job is. Which of several the seed decides. */
  async busy(): Promise<Busy> {
    return waitFor(
      'a delivery of a slow job under way',
      () => {
        const busy = this.busyNow().filter(({ start }) => this.slowJobs.has(start.job));
        return busy.length > 0 && this.random.pick(busy);
      },
      30_000,
    );
  }

  /** SIGKILL, and its end. */
  async kill(process: TrialProcess): Promise<void> {
    process.isGivenUp = true;
    this.fault('killed', process.name);
    process.signal('SIGKILL');
    await process.exited();
  }

  /** The first signal of an orderly stop. */
  tellToStop(process: TrialProcess): void {
    process.isGivenUp = true;
    this.fault('told-to-stop', process.name);
    process.signal('SIGTERM');
  }

  /** The second signal, which does not wait. */
  forceToStop(process: TrialProcess): void {
    this.fault('forced-to-stop', process.name);
    process.signal('SIGTERM');
  }
}
