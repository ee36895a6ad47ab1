import { type Consumption, QueuedJob, QueueServerException } from '../contract/index.js';
import type { ReserveAnswer } from '../queue/index.js';
import type { DeliverySource, IntakeParts } from './intake-parts.js';
import { LONGEST_TIMER_MS, unlessAborted } from './pause.js';

/** What the server sent, and when it came, by `performance.now()`. */
interface Arrival {
  readonly answer: ReserveAnswer;
  readonly arrivedAt: number;
}

/**
 * Takes the deliveries of one queue as its server sends them. The server sends ahead as many as there are slots, and
 * counts one as done when it is settled. Its slot may be free later: the scope is still being disposed, or a handler
 * whose time is over does not end. So an arrival waits here until there is a slot; a smaller prefetch would not help,
 * as it holds for the consumer's whole life.
 *
 * It must not be sent more than the run may still take, and a server sends on with every settlement. So it is stopped as
 * soon as no more may be taken than there are slots, which is as many as can have been sent by then; sweeps take the
 * rest. A run of a single delivery (once) never has a consumer.
 */
export class Consumer implements DeliverySource {
  readonly #parts: IntakeParts;
  readonly #queue: string;
  #arrived: Arrival[] = [];
  #consumption: Consumption | null = null;
  #stopping: Promise<void> | null = null;
  #failure: Error | null = null;
  /** What becomes of arrivals once the run is at its end; null before. */
  #ending: 'begin' | 'give back' | null = null;
  #waitsForSlot = false;
  #ring: () => void = noop;

  constructor(parts: IntakeParts, queue: string) {
    this.#parts = parts;
    this.#queue = queue;
    // At once: a settlement that is sent after it makes room for nothing more.
    parts.signal.addEventListener('abort', () => {
      void this.#stop();
      this.#ring();
    });
  }

  /** It has nothing to take any more: the rest of the run is for sweeps. */
  get over(): boolean {
    const open = this.#consumption !== null || this.#failure !== null;
    return this.#endsSoon && !open && this.#arrived.length === 0;
  }

  async turn(): Promise<boolean> {
    // The stop may have come, and been answered, while the loop let others have their turn.
    if (this.#parts.signal.aborted) return false;
    // What a consumer delivered before it ended keeps its place, unless its channel is lost, and waits for no other.
    this.#begin();
    if (this.#failure !== null) await this.#failed(this.#failure);
    if (this.#endsSoon) await this.#stop();
    else if (this.#consumption === null) await this.#open();
    this.#begin();
    const expects = this.#consumption !== null || this.#arrived.length > 0;
    if (expects && this.#failure === null && !this.#parts.signal.aborted) await this.#news();
    return false;
  }

  /**
   * Nothing comes any more once it has resolved. What came is begun where `begins` and there is a slot; the rest goes
   * back to its queue, at once: another worker may be idle. Rejects with a defect.
   */
  async close(begins: boolean): Promise<void> {
    this.#ending = begins ? 'begin' : 'give back';
    for (const arrival of this.#arrived.splice(0)) this.#finish(arrival);
    await this.#stop();
    // The run is over, and a consumer that was still being opened may open yet.
    this.#ending = 'give back';
    if (this.#failure !== null && !(this.#failure instanceof QueueServerException)) throw this.#failure;
  }

  get #endsSoon(): boolean {
    const { limits, options } = this.#parts;
    return limits.remaining <= options.concurrency;
  }

  get #hasSlot(): boolean {
    const { running, options } = this.#parts;
    return running.size < options.concurrency;
  }

  async #open(): Promise<void> {
    const { connection, options, outage, signal } = this.#parts;
    const opening = connection.consume(this.#queue, {
      prefetch: options.concurrency,
      take: (answer, arrivedAt) => this.#arrive({ answer, arrivedAt }),
      ended: (error) => {
        this.#failure = error;
        this.#ring();
      },
    });
    let consumption: Consumption | null;
    try {
      consumption = await unlessAborted(opening, signal);
    } catch (error) {
      // Told once, whichever way.
      this.#failure = null;
      throw error;
    }
    this.#consumption = consumption;
    if (consumption === null) opening.then((late) => late.stop()).catch(noop);
    else if (this.#failure === null) outage.over();
  }

  async #failed(error: Error): Promise<never> {
    await this.#stop();
    this.#failure = null;
    throw error;
  }

  /** Never rejects. */
  #stop(): Promise<void> {
    if (this.#consumption === null) return Promise.resolve();
    return (this.#stopping ??= this.#stopped(this.#consumption));
  }

  async #stopped(consumption: Consumption): Promise<void> {
    try {
      await consumption.stop();
    } catch (error) {
      this.#failure ??= error as Error;
    }
    this.#consumption = null;
    this.#stopping = null;
  }

  #arrive(arrival: Arrival): void {
    if (this.#ending !== null) return this.#finish(arrival);
    this.#arrived.push(arrival);
    this.#ring();
  }

  /** Begins what came, in order, as far as there are slots. */
  #begin(): void {
    const { limits, options, take } = this.#parts;
    for (let next = this.#arrived[0]; next !== undefined; next = this.#arrived[0]) {
      const { answer, arrivedAt } = next;
      if (answer instanceof QueuedJob && !isLost(answer)) {
        const kept = this.#consumption === null ? 0 : options.concurrency;
        if (!this.#hasSlot || limits.remaining <= kept) return;
      }
      this.#arrived.shift();
      if (!isLost(answer)) take(answer, arrivedAt);
    }
  }

  #finish({ answer, arrivedAt }: Arrival): void {
    const { take, giveBack } = this.#parts;
    if (isLost(answer)) return;
    const begins = this.#ending === 'begin' && this.#hasSlot;
    if (begins || !(answer instanceof QueuedJob)) take(answer, arrivedAt);
    else giveBack(answer, arrivedAt);
  }

  /** Resolves when there is something to do, and at the end of a look, so that the loop turns. */
  #news(): Promise<void> {
    if (this.#arrived.length > 0) this.#watchSlots();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#ring(), Math.min(this.#parts.limits.lookMs, LONGEST_TIMER_MS));
      this.#ring = () => {
        clearTimeout(timer);
        this.#ring = noop;
        resolve();
      };
    });
  }

  #watchSlots(): void {
    if (this.#waitsForSlot) return;
    this.#waitsForSlot = true;
    void this.#parts.running.changed().then(() => {
      this.#waitsForSlot = false;
      this.#ring();
    });
  }
}

/** Its server gives it to another worker, or again to this one: there is nothing to run or to settle. */
function isLost(answer: ReserveAnswer): boolean {
  return answer instanceof QueuedJob && answer.lost?.aborted === true;
}

function noop(): void {}
