import type { ReservedItem, SettleOutcome, Settlement } from '../../../../lib/contract/index.js';
import { ForwardingBackend } from './forwarding-backend.js';

/** Tells one stored item from another: its body holds a random id and never changes. */
function bodyOf(item: ReservedItem): string {
  return String(item.body);
}

/** Acknowledges by the job alone: a worker that lost its lease removes the job from under the one that has it now. */
export class IgnoresTokenOnAck extends ForwardingBackend {
  readonly #bodies = new Map<unknown, string>();
  readonly #current = new Map<string, unknown>();

  override async reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    const items = await super.reserve(queues, limit);
    for (const item of items) {
      this.#bodies.set(item.receipt, bodyOf(item));
      this.#current.set(bodyOf(item), item.receipt);
    }
    return items;
  }

  override async settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    return super.settle(
      settlements.map((settlement) => {
        if (settlement.operation !== 'ack') return settlement;
        const body = this.#bodies.get(settlement.receipt);
        return { ...settlement, receipt: body === undefined ? settlement.receipt : this.#current.get(body) };
      }),
    );
  }
}

/** Answers that a job was released, and removes it. */
export class LosesReleases extends ForwardingBackend {
  override settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    return super.settle(
      settlements.map((settlement) =>
        settlement.operation === 'release'
          ? { operation: 'ack', receipt: settlement.receipt, followUps: [] }
          : settlement,
      ),
    );
  }
}

/** Brings every released job back at once. */
export class ForgetsReleaseDelays extends ForwardingBackend {
  override settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    return super.settle(
      settlements.map((settlement) =>
        'delaySeconds' in settlement ? { ...settlement, delaySeconds: 0 } : settlement,
      ),
    );
  }
}

/** Takes an extension for a minimum: a lease is never shortened. */
export class OnlyLengthensLeases extends ForwardingBackend {
  override settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    return super.settle(
      settlements.map((settlement) =>
        settlement.operation === 'extend'
          ? { ...settlement, seconds: Math.max(settlement.seconds, 600) }
          : settlement,
      ),
    );
  }
}

/** Answers a whole batch as stale when one entry of it was. */
export class OneStaleSpoilsBatch extends ForwardingBackend {
  override async settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    const outcomes = await super.settle(settlements);
    const stale = outcomes.find(({ status }) => status === 'stale');
    return stale === undefined ? outcomes : outcomes.map(() => stale);
  }
}

/** Drops what an ack is to store with it. */
export class DropsFollowUps extends ForwardingBackend {
  override settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    return super.settle(
      settlements.map((settlement) =>
        settlement.operation === 'ack' ? { ...settlement, followUps: [] } : settlement,
      ),
    );
  }
}
