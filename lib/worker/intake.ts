import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import { canConsume, QueueServerException } from '../contract/index.js';
import { Consumer } from './consumer.js';
import type { DeliverySource, IntakeParts } from './intake-parts.js';
import { isMisconfiguration } from './misconfiguration.js';
import { nextTick, unlessAborted } from './pause.js';
import { settlesFirst } from './settles-first.js';
import { Sweeps } from './sweeps.js';
import type { WorkerResult } from './worker-options.js';

/** Comes by work while there are free slots, and hands it over: the one place of a run that does. */
export class Intake {
  readonly #parts: IntakeParts;
  readonly #sweeps: Sweeps;
  /** Where the server sends; several queues have an order, which only who asks can keep. */
  readonly #consumer: Consumer | null;
  #lastTurn = performance.now();
  #connected = false;

  constructor(parts: IntakeParts) {
    const [queue, ...others] = parts.options.queues;
    const consumes = queue !== undefined && others.length === 0 && canConsume(parts.connection.backend);
    this.#parts = parts;
    this.#sweeps = new Sweeps(parts);
    this.#consumer = consumes ? new Consumer(parts, queue) : null;
  }

  /** Milliseconds since the loop turned; 0 while it waits for a running job to end, however long that takes. */
  get sinceLastTurnMs(): number {
    return this.#sweeps.waitsForSlot ? 0 : performance.now() - this.#lastTurn;
  }

  /** The backend was reached, and answered when it was last asked. */
  get reached(): boolean {
    return this.#connected && this.#parts.outage.failures === 0;
  }

  /** Connects and takes work until something ends it. Resolves with what did; running jobs may still run. */
  async run(): Promise<WorkerResult> {
    const result = await this.#loop();
    try {
      await this.#sweeps.close();
      await this.#consumer?.close(this.#parts.signal.aborted);
      return result;
    } catch (error) {
      const isDefect = !(error instanceof QueueServerException);
      return isDefect && result.exitCode === 0 ? endedBy(error) : result;
    }
  }

  /** Returns at once what a server sent and was not begun, also what still comes. Resolves when nothing will. */
  async release(): Promise<void> {
    await this.#consumer?.close(false);
  }

  async #loop(): Promise<WorkerResult> {
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
    const { connection, options, limits } = this.#parts;
    if (limits.reached() !== null) return true;
    // Jobs that end together free their slots for one larger reserve. Where settlements are not waited for, it leaves with
    // them; elsewhere timers, signals and sockets have their turn, also where a backend answers without any I/O.
    await (settlesFirst(connection, options) ? nextTick() : eventLoopTurn());
    return this.#source().turn();
  }

  #source(): DeliverySource {
    return this.#consumer === null || this.#consumer.over ? this.#sweeps : this.#consumer;
  }

  /** A server that never answers must not outlast a stop: nothing is reserved yet, so that the try can be left alone. */
  async #connect(): Promise<void> {
    const { connection, signal, outage, connected } = this.#parts;
    const connecting = connection.backend.connect().then(() => true);
    this.#connected = (await unlessAborted(connecting, signal)) ?? false;
    if (!this.#connected) return;
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
