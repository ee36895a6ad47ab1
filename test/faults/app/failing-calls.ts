import {
  type BackendFactory,
  ConnectionFailed,
  OutcomeUnknown,
  type QueueBackend,
  ServerRefused,
  type SettleOutcome,
  type StoreOutcome,
} from '@kinetis/nestjs-queue';
import type { LedgerWriter } from '../ledger/ledger-writer.js';
import { Random } from '../random.js';

/** How a call is made to fail: refused, or never sent, or carried out without an answer. */
type Way = 'refused' | 'not-sent' | 'not-answered';

/** A backend of which FAULT_FAILING of all calls fail, as FAULT_SEED decides; without that variable the backend as it is. */
export function withFailingCalls(factory: BackendFactory, ledger: LedgerWriter): BackendFactory {
  const share = Number(process.env['FAULT_FAILING'] ?? '0');
  if (share === 0) return factory;
  return async (context) => {
    const backend = await factory(context);
    const calls = new FailingCalls(backend, ledger, share);
    return new Proxy(backend, {
      get(target, key) {
        if (key === 'store' || key === 'settle') return calls.answering(key);
        if (key === 'reserve') return calls.reserve;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  };
}

class FailingCalls {
  readonly #random: Random;
  #number = 1_000;

  constructor(
    private readonly backend: QueueBackend,
    private readonly ledger: LedgerWriter,
    private readonly share: number,
  ) {
    this.#random = new Random(
      Number(process.env['FAULT_SEED'] ?? '0') +
        ledger.name.length +
        ledger.name.charCodeAt(ledger.name.length - 1),
    );
  }

  /** `store` and `settle` do not throw for their server, they answer entry by entry. */
  answering(method: 'store' | 'settle') {
    return async (
      entries: readonly { readonly operation?: string }[],
      ...rest: unknown[]
    ): Promise<readonly (StoreOutcome | SettleOutcome)[]> => {
      const call = this.backend[method].bind(this.backend) as (
        ...args: unknown[]
      ) => Promise<readonly (StoreOutcome | SettleOutcome)[]>;
      const way = this.#way(['refused', 'not-sent', 'not-answered']);
      if (way === null) return call(entries, ...rest);
      for (const { operation = 'store' } of entries) this.#tell(way, operation);
      if (way === 'not-answered') await call(entries, ...rest);
      return entries.map(() =>
        way === 'refused'
          ? { status: 'refused', error: new ServerRefused('injected: refused') }
          : { status: 'unknown', error: new OutcomeUnknown(`injected: ${way}`) },
      );
    };
  }

  /** Where a delivery is bound to its connection an unanswered reserve is a lost connection, which is another fault. */
  readonly reserve: QueueBackend['reserve'] = async (queues, limit) => {
    const hasLeases = this.backend.capabilities.extend;
    const way = this.#way(hasLeases ? ['refused', 'not-sent', 'not-answered'] : ['refused', 'not-sent']);
    if (way === null) return this.backend.reserve(queues, limit);
    this.#tell(way, 'reserve');
    if (way === 'refused') throw new ServerRefused('injected: refused');
    if (way === 'not-sent') throw new ConnectionFailed('injected: not sent');
    await this.backend.reserve(queues, limit);
    throw new OutcomeUnknown('injected: not answered');
  };

  #way(ways: readonly Way[]): Way | null {
    return this.#random.chance(this.share) ? this.#random.pick(ways) : null;
  }

  #tell(way: Way, operation: string): void {
    this.#number += 1;
    const detail = `${operation} ${way}`;
    this.ledger.write({
      kind: 'fault',
      fault: 'injected',
      of: this.ledger.name,
      number: this.#number,
      detail,
    });
  }
}
