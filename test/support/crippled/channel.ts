import type { Receipt, ReservedItem } from '../../../lib/contract/index.js';

/** A receipt of the crippled backend: the delivery as memory knows it, and the channel that it came by. */
export interface Delivery {
  readonly inner: Receipt;
  readonly id: string;
  readonly item: ReservedItem;
  readonly channel: Channel;
}

/** What deliveries come by; they are lost with it. */
export class Channel {
  readonly #lost = new AbortController();
  readonly #deliveries = new Set<Delivery>();
  /** Called when a delivery was settled. */
  readonly listeners = new Set<(delivery: Delivery) => void>();

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  get closed(): boolean {
    return this.#lost.signal.aborted;
  }

  delivered(delivery: Delivery): void {
    this.#deliveries.add(delivery);
  }

  settled(delivery: Delivery): void {
    this.#deliveries.delete(delivery);
    for (const listener of this.listeners) listener(delivery);
  }

  /** Answers what was not settled. */
  close(reason: Error): readonly Delivery[] {
    this.#lost.abort(reason);
    const lost = [...this.#deliveries];
    this.#deliveries.clear();
    return lost;
  }
}
