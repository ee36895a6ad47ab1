import type { Deliveries } from '../queue/index.js';
import type { DeliverySource, IntakeParts } from './intake-parts.js';
import { settlesFirst } from './settles-first.js';

interface Look {
  readonly limit: number;
  readonly found: Promise<Deliveries>;
}

/** Asks the backend for deliveries, never for more than there are free slots. */
export class Sweeps implements DeliverySource {
  readonly #parts: IntakeParts;
  /** A look that was sent before what the one before it brought was begun. */
  #ahead: Look | null = null;
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
    const look = this.#ahead ?? this.#look(0);
    this.#ahead = null;
    if (look === null) {
      await this.#slot();
      return false;
    }
    const found = await look.found;
    this.#parts.outage.over();
    const count = found.answers.length;
    // A queue that filled a look has more: the server works on that while these run.
    if (this.#looksAhead && count === look.limit) this.#lookAhead(count);
    this.#begin(found);
    return this.#parts.options.once && count === 0;
  }

  /** What a look that is under way brings is begun; it asks for no more. Rejects as the look does. */
  async close(): Promise<void> {
    const ahead = this.#ahead;
    this.#ahead = null;
    if (ahead !== null) this.#begin(await ahead.found);
  }

  /** Where a slot is free once its settlement is sent, half of them are kept busy while the server fills the others. */
  get #looksAhead(): boolean {
    return settlesFirst(this.#parts.connection, this.#parts.options);
  }

  #begin({ answers, askedAt }: Deliveries): void {
    for (const answer of answers) this.#parts.take(answer, askedAt);
  }

  /** `coming`: deliveries that are about to be begun. Null where there is no slot beside them. */
  #look(coming: number): Look | null {
    const { connection, options, running, limits, signal } = this.#parts;
    const free = Math.min(options.concurrency - running.taken, limits.remaining) - coming;
    const limit = Math.min(free, this.#looksAhead ? Math.ceil(options.concurrency / 2) : Infinity);
    if (limit <= 0) return null;
    return { limit, found: connection.next(options.queues, { limit, timeoutMs: limits.lookMs, signal }) };
  }

  #lookAhead(coming: number): void {
    this.#ahead = this.#look(coming);
    // It is told to whoever takes it up.
    this.#ahead?.found.catch(() => undefined);
  }

  async #slot(): Promise<void> {
    this.#waitsForSlot = true;
    await this.#parts.running.changed();
    this.#waitsForSlot = false;
  }
}
