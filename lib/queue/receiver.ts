import {
  DecodingDefectException,
  type Decoded,
  decodeItem,
  type MalformedDisposition,
  MalformedJobSettledException,
  type MalformedQueuedJobDataException,
  type QueueBackend,
  type QueuedJob,
  type ReservedItem,
  type SettleOutcome,
  type Settlement,
} from '../contract/index.js';
import type { QueueReporter } from './reporter.js';

/** What a reserve answers for one item. */
export type ReserveAnswer = QueuedJob | MalformedJobSettledException | DecodingDefectException;

/** How long an envelope of a newer version rests before the next worker, perhaps a newer one, sees it. */
const NEWER_VERSION_DELAY_SECONDS = 30;

/** Decodes what was reserved; what is no job is settled here, so that it never stops a queue or a batch. */
export class Receiver {
  readonly #backend: QueueBackend;
  readonly #reporter: QueueReporter;

  constructor(backend: QueueBackend, reporter: QueueReporter) {
    this.#backend = backend;
    this.#reporter = reporter;
  }

  /** Decodes items that the backend reserved, in order. */
  async accept(items: readonly ReservedItem[]): Promise<ReserveAnswer[]> {
    if (items.length === 0) return [];
    const decoded = items.map(decodeItem);
    const jobs: QueuedJob[] = [];
    for (const made of decoded) if (made.kind === 'job') jobs.push(made.job);
    return jobs.length === items.length ? jobs : this.#acceptUnreadable(items, decoded);
  }

  async #acceptUnreadable(
    items: readonly ReservedItem[],
    decoded: readonly Decoded[],
  ): Promise<ReserveAnswer[]> {
    const outcomes = await this.#settleUnreadable(items, decoded);
    const answers: ReserveAnswer[] = [];
    for (const [index, item] of items.entries()) {
      const made = decoded[index];
      if (made === undefined) continue;
      if (made.kind === 'job') answers.push(made.job);
      else if (made.kind === 'defect') answers.push(made.error);
      else if (made.kind === 'newer') this.#reportNewer(item, made.version);
      else answers.push(this.#malformed(item, made.error, outcomes.get(index)));
    }
    return answers;
  }

  async #settleUnreadable(
    items: readonly ReservedItem[],
    decoded: readonly Decoded[],
  ): Promise<ReadonlyMap<number, SettleOutcome>> {
    const indexes: number[] = [];
    const settlements: Settlement[] = [];
    for (const [index, item] of items.entries()) {
      const settlement = this.#settlementOf(item, decoded[index]);
      if (settlement === null) continue;
      indexes.push(index);
      settlements.push(settlement);
    }
    if (settlements.length === 0) return new Map();
    const outcomes = await this.#backend.settle(settlements);
    return new Map(indexes.map((index, at) => [index, outcomes[at] as SettleOutcome]));
  }

  #malformed(
    item: ReservedItem,
    error: MalformedQueuedJobDataException,
    outcome: SettleOutcome | undefined,
  ): MalformedJobSettledException {
    const disposition = this.#disposition(outcome);
    const settlementError = outcome !== undefined && 'error' in outcome ? outcome.error : null;
    return new MalformedJobSettledException(item.queue, disposition, error, settlementError);
  }

  #disposition(outcome: SettleOutcome | undefined): MalformedDisposition {
    if (outcome?.status === 'stale') return 'stale';
    if (outcome?.status !== 'applied') return 'unsettled';
    if (this.#backend.capabilities.failedJobs !== 'no') return 'failed-store';
    return this.#backend.keepsFailedElsewhere === true ? 'dead-letter' : 'removed';
  }

  #reportNewer(item: ReservedItem, version: number): void {
    this.#reporter.warn(
      `A job on queue "${item.queue}" has an envelope of version ${version}, newer than this code reads. It was given ` +
        `back for ${NEWER_VERSION_DELAY_SECONDS} s; deploy the newer code to the workers of this queue.`,
    );
  }

  #settlementOf(item: ReservedItem, decoded: Decoded | undefined): Settlement | null {
    // For recovery: a lease ends by itself, and without one the item would be held while the process is connected.
    const isHeld = decoded?.kind === 'defect' && !this.#backend.capabilities.extend;
    return isHeld ? returned(item, 0) : settlementOf(item, decoded);
  }
}

function returned({ receipt }: ReservedItem, delaySeconds: number): Settlement {
  return { operation: 'release', receipt, changes: {}, delaySeconds };
}

function settlementOf(item: ReservedItem, decoded: Decoded | undefined): Settlement | null {
  if (decoded?.kind === 'newer') {
    return returned(item, NEWER_VERSION_DELAY_SECONDS);
  }
  if (decoded?.kind !== 'malformed') return null;
  return {
    operation: 'fail',
    receipt: item.receipt,
    failure: {
      cause: 'undecodable',
      error: decoded.error.name,
      message: decoded.error.message,
      stack: null,
    },
  };
}
