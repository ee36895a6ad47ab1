import type { RunningDelivery } from './running-delivery.js';
import type { RunningJob } from './worker-status.js';

/** What a worker runs at the moment. */
export class RunningDeliveries {
  readonly #all = new Set<RunningDelivery>();
  /** Work without a delivery that a stop waits for too, such as telling listeners of a malformed item. */
  readonly #errands = new Set<Promise<void>>();
  #waiting: (() => void)[] = [];
  /** Their handlers have ended, and a reserve that is sent now comes after their settlements. */
  readonly #settling = new Set<RunningDelivery>();

  /** Slots that are taken: another job may be reserved for each of the others. */
  get taken(): number {
    return this.#all.size - this.#settling.size;
  }

  get size(): number {
    return this.#all.size;
  }

  add(delivery: RunningDelivery): void {
    this.#all.add(delivery);
  }

  remove(delivery: RunningDelivery): void {
    this.#all.delete(delivery);
    this.#settling.delete(delivery);
    this.#wake();
  }

  /** Its slot is free for a reserve, though what it came to is not known yet. */
  settling(delivery: RunningDelivery): void {
    this.#settling.add(delivery);
    this.#wake();
  }

  /** Its settlement was refused, and will be sent again: the backend still holds it. */
  stillHeld(delivery: RunningDelivery): void {
    this.#settling.delete(delivery);
  }

  /** Deliveries that are settled and whose handlers do not end. */
  get abandoned(): number {
    let abandoned = 0;
    for (const delivery of this.#all) if (delivery.abandoned) abandoned += 1;
    return abandoned;
  }

  all(): readonly RunningDelivery[] {
    return [...this.#all];
  }

  /** For people: the one that has run longest first, as a set keeps the order in which they were added. */
  jobs(): readonly RunningJob[] {
    return this.all().map(({ job, durationMs }) => {
      const runningSeconds = Math.round(durationMs / 100) / 10;
      return { job: job.class, id: job.id, queue: job.queue, runningSeconds };
    });
  }

  /** Keeps account of work that must end before the worker has. `errand` never rejects. */
  track(errand: Promise<void>): void {
    this.#errands.add(errand);
    void errand.then(() => {
      this.#errands.delete(errand);
      this.#wake();
    });
  }

  /** Resolves when the next delivery has ended. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.#all.size > 0 || this.#errands.size > 0) await this.changed();
  }

  /** Resolves when nothing but deliveries is left. */
  async errandsEnded(): Promise<void> {
    await Promise.all(this.#errands);
  }

  #wake(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
