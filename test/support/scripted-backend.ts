import {
  type BackendContext,
  type NewJob,
  OutcomeUnknown,
  type QueueBackend,
  type QueueCounts,
  type ReservedItem,
  ServerRefused,
  type SettleOutcome,
  type Settlement,
  type StoreOutcome,
  type WaitOptions,
} from '../../lib/contract/index.js';
import { memory, type MemoryClock } from '../../lib/backends/memory/index.js';

/** What a scripted settlement answers; a function is asked, an error is thrown as a defect would be. */
export type ScriptedAnswer = SettleOutcome['status'] | Error | Promise<unknown>;

/** A settlement that reached the backend, and what it answered. */
export interface SeenSettlement {
  readonly operation: Settlement['operation'];
  readonly settlement: Settlement;
  readonly answer: string;
}

/**
 * The memory backend, with answers that a test prescribes in front of it. What is not prescribed goes through. Records
 * every settlement and every reserve.
 */
export class ScriptedBackend implements QueueBackend {
  readonly driver = 'scripted';
  settlesBeforeReserve = false;
  readonly settlements: SeenSettlement[] = [];
  /** `limit` of each reserve, in order. */
  readonly reserveLimits: number[] = [];
  connects = 0;
  /** Answers for settlements to come, one each; then they go through. */
  readonly nextSettlements: ScriptedAnswer[] = [];
  /** Thrown by the next connects, one each. */
  readonly nextConnects: (Error | Promise<void>)[] = [];
  /** Thrown by reserves while it is set. */
  serverDown: Error | null = null;
  /** Items handed out by the next reserve, before those that are stored. */
  readonly extraItems: ReservedItem[] = [];
  /** A reserve resolves only after this. */
  holdReserve: Promise<void> | null = null;
  /** What answers where nothing is prescribed. */
  readonly inner: QueueBackend;

  constructor(leaseSeconds = 90, clock: MemoryClock = { now: () => Date.now() }) {
    this.inner = memory({ leaseSeconds, clock })(NO_CONTEXT) as QueueBackend;
  }

  get capabilities(): QueueBackend['capabilities'] {
    return this.inner.capabilities;
  }

  async connect(): Promise<void> {
    this.connects += 1;
    const next = this.nextConnects.shift();
    if (next instanceof Error) throw next;
    await next;
  }

  store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    return this.inner.store(jobs);
  }

  async reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    this.reserveLimits.push(limit);
    if (this.serverDown !== null) throw this.serverDown;
    const extra = this.extraItems.splice(0, limit);
    const stored = extra.length < limit ? await this.inner.reserve(queues, limit - extra.length) : [];
    await this.holdReserve;
    return [...extra, ...stored];
  }

  waitForWork(queues: readonly string[], options: WaitOptions): Promise<readonly ReservedItem[]> {
    return this.inner.waitForWork(queues, options);
  }

  async settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    const outcomes: SettleOutcome[] = [];
    for (const settlement of settlements) outcomes.push(await this.#settle(settlement));
    return outcomes;
  }

  count(queue: string): Promise<QueueCounts> {
    return this.inner.count(queue);
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  /** Operations of the settlements that were applied. */
  get applied(): readonly string[] {
    return this.settlements.filter(({ answer }) => answer === 'applied').map(({ operation }) => operation);
  }

  async #settle(settlement: Settlement): Promise<SettleOutcome> {
    const { operation } = settlement;
    let next = this.nextSettlements.shift();
    if (next instanceof Promise) {
      await next;
      next = 'applied';
    }
    if (next instanceof Error) {
      this.settlements.push({ operation, settlement, answer: 'threw' });
      throw next;
    }
    const outcome =
      next === undefined || next === 'applied' ? await this.#through(settlement) : answered(next);
    this.settlements.push({ operation, settlement, answer: outcome.status });
    return outcome;
  }

  async #through(settlement: Settlement): Promise<SettleOutcome> {
    if (settlement.receipt === ScriptedBackend.EXTRA) return { status: 'applied' };
    const [outcome] = await this.inner.settle([settlement]);
    if (outcome === undefined) throw new Error('The memory backend gave no outcome.');
    return outcome;
  }

  /** The receipt of an item of `extraItems`. */
  static readonly EXTRA = 'extra';

  static malformedItem(queue = 'default'): ReservedItem {
    return { queue, receipt: ScriptedBackend.EXTRA, header: null, body: 'no envelope', leaseSeconds: 90 };
  }

  /** Makes the decoder itself fail. */
  static defectItem(queue = 'default'): ReservedItem {
    return {
      queue,
      receipt: ScriptedBackend.EXTRA,
      body: '',
      leaseSeconds: 90,
      get header(): never {
        throw new RangeError('a defect of the decoder');
      },
    };
  }
}

function answered(status: 'stale' | 'refused' | 'unknown'): SettleOutcome {
  if (status === 'stale') return { status };
  if (status === 'refused') return { status, error: new ServerRefused('deadlock') };
  return { status, error: new OutcomeUnknown('no answer') };
}

const NO_CONTEXT: BackendContext = {
  connection: 'default',
  resolve: () => {
    throw new Error('There is no application.');
  },
  runInline: async () => undefined,
  warn: () => undefined,
};
