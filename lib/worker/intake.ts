import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import { QueueServerException } from '../contract/index.js';
import type { QueueConnection, ReserveAnswer } from '../queue/index.js';
import { isMisconfiguration } from './misconfiguration.js';
import type { Outage } from './outage.js';
import { LONGEST_TIMER_MS, pause } from './pause.js';
import type { RunLimits } from './run-limits.js';
import type { RunningDeliveries } from './running-deliveries.js';
import type { WorkerOptions, WorkerResult } from './worker-options.js';

export interface IntakeParts {
  readonly connection: QueueConnection;
  readonly options: WorkerOptions;
  readonly running: RunningDeliveries;
  readonly outage: Outage;
  readonly limits: RunLimits;
  /** Ends looking for work. What was reserved by then is still taken. */
  readonly signal: AbortSignal;
  /** The backend was reached, for the first time. */
  readonly connected: () => void;
  /** Takes one answer and returns at once. `reservedAt` is when the reserve was sent, by `performance.now()`. */
  readonly take: (answer: ReserveAnswer, reservedAt: number) => void;
}

/** Looks for work while there are free slots, and hands it over: the one place of a run that reserves. */
export class Intake {
  readonly #parts: IntakeParts;
  #lastTurn = performance.now();
  #waitsForSlot = false;
  #connected = false;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
  }

  /** Milliseconds since the loop turned; 0 while it waits for a running job to end, however long that takes. */
  get sinceLastTurnMs(): number {
    return this.#waitsForSlot ? 0 : performance.now() - this.#lastTurn;
  }

  /** The backend was reached, and answered when it was last asked. */
  get reached(): boolean {
    return this.#connected && this.#parts.outage.failures === 0;
  }

  /** Connects and takes work until something ends it. Resolves with what did; running jobs may still run. */
  async run(): Promise<WorkerResult> {
    const { outage, signal, limits, options } = this.#parts;
    const patience = options.once ? performance.now() + options.pollTimeoutSeconds * 1_000 : Infinity;
    while (!signal.aborted) {
      this.#lastTurn = performance.now();
      try {
        if (!this.#connected) await this.#connect();
        else if (await this.#turn()) return stopped(0, limits.reached() ?? 'there was no work (once)');
      } catch (error) {
        if (!(error instanceof QueueServerException)) return endedBy(error);
        const again = performance.now() < patience && (await outage.failed(error, signal));
        if (!again) return unreachable(outage.failures, error);
      }
    }
    return stopped(0, 'it was told to stop');
  }

  /** One look for work; true when the run is at its end. */
  async #turn(): Promise<boolean> {
    const { connection, options, running, outage, limits, signal, take } = this.#parts;
    if (limits.reached() !== null) return true;
    // Timers, signals and sockets have their turn, also where a backend answers without any I/O; and jobs that end
    // together free their slots for one larger reserve.
    await eventLoopTurn();
    const limit = Math.min(options.concurrency - running.size, limits.remaining);
    if (limit <= 0) {
      await this.#slot();
      return false;
    }
    const looking = { limit, timeoutMs: limits.lookMs, signal };
    const { answers, askedAt } = await connection.next(options.queues, looking);
    outage.over();
    for (const answer of answers) take(answer, askedAt);
    return options.once && answers.length === 0;
  }

  async #slot(): Promise<void> {
    this.#waitsForSlot = true;
    await this.#parts.running.changed();
    this.#waitsForSlot = false;
  }

  /** A server that never answers must not outlast a stop: nothing is reserved yet, so that the try can be left alone. */
  async #connect(): Promise<void> {
    const { connection, signal, outage, connected } = this.#parts;
    const stop = new AbortController();
    const connecting = connection.backend.connect().then(() => true);
    const given = pause(LONGEST_TIMER_MS, AbortSignal.any([signal, stop.signal])).then(() => false);
    try {
      this.#connected = await Promise.race([connecting, given]);
    } finally {
      stop.abort();
    }
    if (!this.#connected) {
      connecting.catch(() => undefined);
      return;
    }
    outage.over();
    connected();
  }
}

function stopped(exitCode: 0, reason: string): WorkerResult {
  return { exitCode, reason };
}

function endedBy(error: unknown): WorkerResult {
  if (isMisconfiguration(error)) return { exitCode: 64, reason: error.message, error };
  return { exitCode: 70, reason: 'the backend failed in a way that is no trouble of its server', error };
}

function unreachable(failures: number, error: Error): WorkerResult {
  return { exitCode: 69, reason: `the backend was not reached, after ${failures} failures in a row`, error };
}
