import {
  decodeItem,
  type ReservedItem,
  type Settlement,
  type SettleOutcome,
} from '../../../../lib/contract/index.js';
import { ForwardingBackend } from './forwarding-backend.js';

/** Brings an expired lease back on the attempt that it was lost on. */
export class ReclaimsWithoutCounting extends ForwardingBackend {
  readonly #lost = new Map<string, number>();
  readonly #held = new Map<unknown, string>();

  override async reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    const items = await super.reserve(queues, limit);
    return items.map((item) => {
      const body = String(item.body);
      const wasHeld = [...this.#held].find(([, held]) => held === body);
      if (wasHeld !== undefined) {
        this.#held.delete(wasHeld[0]);
        this.#lost.set(body, (this.#lost.get(body) ?? 0) + 1);
      }
      this.#held.set(item.receipt, body);
      const attempts = item.header?.attempts;
      if (typeof attempts !== 'number') return item;
      return { ...item, header: { ...item.header, attempts: attempts - (this.#lost.get(body) ?? 0) } };
    });
  }

  override settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    for (const { operation, receipt } of settlements) if (operation !== 'extend') this.#held.delete(receipt);
    return super.settle(settlements);
  }
}

/** Gives the youngest job first. */
export class NewestFirst extends ForwardingBackend {
  override async reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    const all = await super.reserve(queues, 10_000);
    const chosen = all.slice(-limit).toReversed();
    for (const item of all.slice(0, all.length - chosen.length)) await this.giveBack(item);
    return chosen;
  }
}

/** Stops at a malformed item, as an exception half-way through a batch would. The rest stays leased to nobody. */
export class ForgetsBatchAfterMalformed extends ForwardingBackend {
  override async reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    const items = await super.reserve(queues, limit);
    const bad = items.findIndex((item) => decodeItem(item).kind === 'malformed');
    return bad === -1 ? items : items.slice(0, bad + 1);
  }
}

/** Takes one more than it was asked for. */
export class IgnoresLimit extends ForwardingBackend {
  override reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    return super.reserve(queues, limit + 1);
  }
}

/** Looks first and leases later: whoever looks in between gets the same delivery. */
export class SharesDeliveries extends ForwardingBackend {
  #looking: Promise<readonly ReservedItem[]> | null = null;

  override reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    this.#looking ??= super.reserve(queues, limit).finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }
}

/** Takes the oldest job of all queues, whatever the order of the list. */
export class IgnoresListOrder extends ForwardingBackend {
  override reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    return super.reserve(queues.toSorted().toReversed(), limit);
  }
}
