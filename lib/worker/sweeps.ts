import type { DeliverySource, IntakeParts } from './intake-parts.js';

/** Asks the backend for deliveries, as many as there are free slots. */
export class Sweeps implements DeliverySource {
  readonly #parts: IntakeParts;
  #waitsForSlot = false;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
  }

  /** All slots are taken: there is nothing to ask for. */
  get waitsForSlot(): boolean {
    return this.#waitsForSlot;
  }

  /** One look for work; true where there was none, and none is to be waited for. */
  async turn(): Promise<boolean> {
    const { connection, options, running, outage, limits, signal, take } = this.#parts;
    const limit = Math.min(options.concurrency - running.taken, limits.remaining);
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
}
