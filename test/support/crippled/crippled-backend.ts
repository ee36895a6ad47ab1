import type { MemoryReceipt } from '../../../lib/backends/memory/memory-entry.js';
import {
  ConnectionFailed,
  type ConsumeOptions,
  type ConsumingBackend,
  type Consumption,
  type NewJob,
  type QueueCounts,
  type ReservedItem,
  type ReturnSettlement,
  type SettleOutcome,
  type Settlement,
  type StoreOutcome,
  type WaitOptions,
} from '../../../lib/contract/index.js';
import { Channel, type Delivery } from './channel.js';
import { CrippledStore } from './crippled-store.js';
import { estimated } from './estimates.js';
import { pushConsumption } from './push-consumption.js';
import { shown, stored, storedChanges } from './stored-header.js';

/** How far a long poll reaches. */
const LONG_POLL_MS = 5_000;
/** Outlasts every case: a delivery without a lease ends only with its channel. */
const NO_LEASE_SECONDS = 1e9;
const APPLIED = { status: 'applied' } as const;

/**
 * The memory backend with less than memory can do: whatever its capabilities deny it really cannot, so that a suite or
 * a queue that counts on it all the same fails.
 */
export class CrippledBackend extends CrippledStore implements ConsumingBackend {
  #channel = new Channel();
  readonly #receives = new Map<string, number>();
  readonly #estimates = new Map<string, QueueCounts>();

  async store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    for (const { delaySeconds } of jobs)
      this.#assertDelay(delaySeconds, this.capabilities.maxPushDelaySeconds);
    return this.server.send(jobs, (job) => this.#put(job));
  }

  async reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    // A short poll asks some of the servers only.
    const most = Math.min(limit, this.options.batchSize);
    const asked = this.capabilities.keepsOrder ? most : Math.max(1, most - 1);
    const items = await this.inner.reserve(queues, asked);
    return Promise.all(items.map((item) => this.#deliver(item)));
  }

  async waitForWork(queues: readonly string[], options: WaitOptions): Promise<readonly ReservedItem[]> {
    if (!this.options.longPoll) return this.inner.waitForWork(queues, options);
    const seconds = Math.ceil(Math.min(options.timeoutMs, LONG_POLL_MS) / 1_000);
    await this.inner.waitForWork(queues, { ...options, timeoutMs: seconds * 1_000 });
    // What a poll has received when it is told to end is handed over, not lost.
    return this.reserve(queues.slice(0, 1), options.limit);
  }

  async settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    const outcomes: SettleOutcome[] = [];
    // Where a return is a publish and a settlement, each is a request of its own.
    const step = this.options.twoStep ? 1 : settlements.length;
    for (let from = 0; from < settlements.length; from += step) {
      const sent = settlements.slice(from, from + step);
      outcomes.push(...(await this.settleTogether(sent)));
    }
    return outcomes;
  }

  async count(queue: string): Promise<QueueCounts> {
    const counts = await this.inner.count(queue);
    if (this.capabilities.exactCounts) return counts;
    const before = this.#estimates.get(queue);
    this.#estimates.set(queue, counts);
    return estimated(before ?? counts, counts);
  }

  async consume(queue: string, options: ConsumeOptions): Promise<Consumption> {
    this.require('pushDelivery');
    return pushConsumption(this, this.#channel, queue, options);
  }

  /** The server closes the channel: what came by it is given to the next that asks. */
  async disconnect(): Promise<void> {
    const channel = this.#channel;
    this.#channel = new Channel();
    const lost = channel.close(new ConnectionFailed('The channel was closed by the server.'));
    if (this.capabilities.extend) return;
    await Promise.all(lost.map((delivery) => this.#requeue(delivery, this.capabilities.countsCrashes)));
  }

  /** One request, but for returns that take two. */
  protected async settleTogether(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    const [only] = settlements;
    const { twoStep } = this.options;
    if (twoStep && only !== undefined && 'changes' in only) return [await this.returnInTwoSteps(only)];
    const outcomes = await this.server.send(settlements, (settlement) => this.#apply(settlement));
    // Nobody can settle this delivery any more: the channel goes, so that the job comes again.
    if (twoStep && outcomes.some(({ status }) => status === 'unknown')) await this.disconnect();
    return outcomes;
  }

  /** Publishes the replacement, waits for its confirmation, then acknowledges the original. */
  protected async returnInTwoSteps(settlement: ReturnSettlement): Promise<SettleOutcome> {
    const delivery = settlement.receipt as Delivery;
    if (delivery.channel.closed) return { status: 'stale' };
    const copy = this.#copyOf(delivery, settlement);
    const [confirmed] = await this.server.send([copy], (job) => this.#put(job));
    if (confirmed === undefined || confirmed.status === 'duplicate') throw new TypeError('Not to be.');
    if (confirmed.status === 'applied')
      return this.#apply({ operation: 'ack', receipt: delivery, followUps: [] });
    await this.returnOriginal(delivery);
    return confirmed;
  }

  /** The original of a replacement that was not confirmed comes again. */
  protected async returnOriginal(delivery: Delivery): Promise<void> {
    await this.#requeue(delivery, false);
    delivery.channel.settled(delivery);
  }

  async #put(job: NewJob, notes = {}): Promise<StoreOutcome> {
    const delaySeconds = this.#rounded(job.delaySeconds);
    const [outcome] = await this.inner.store([stored({ ...job, delaySeconds }, this.capabilities, notes)]);
    return outcome as StoreOutcome;
  }

  async #deliver(item: ReservedItem): Promise<ReservedItem> {
    const { entry } = item.receipt as MemoryReceipt;
    const receives = (this.#receives.get(entry.id) ?? 0) + 1;
    this.#receives.set(entry.id, receives);
    const delivery: Delivery = { inner: item.receipt, id: entry.id, item, channel: this.#channel };
    const given = { ...item, receipt: delivery, header: shown(item.header, this.capabilities, receives) };
    if (this.capabilities.extend) return given;
    delivery.channel.delivered(delivery);
    await this.inner.settle([{ operation: 'extend', receipt: item.receipt, seconds: NO_LEASE_SECONDS }]);
    return { ...given, leaseSeconds: null, lost: delivery.channel.lost };
  }

  async #apply(settlement: Settlement): Promise<SettleOutcome> {
    const delivery = settlement.receipt as Delivery;
    const { fencedSettlement, extend } = this.capabilities;
    if (delivery.channel.closed && !extend) return { status: 'stale' };
    if (settlement.operation === 'extend' && !extend) throw new TypeError('There is nothing to extend.');
    const outcome = await this.#settleInner(delivery, settlement);
    delivery.channel.settled(delivery);
    if (settlement.operation === 'ack' && outcome.status === 'applied') this.forgotten(delivery.id);
    if (outcome.status !== 'stale' || fencedSettlement) return outcome;
    if (extend) return APPLIED;
    // A tag that is used twice is an error of the whole channel.
    await this.disconnect();
    return {
      status: 'unknown',
      error: new ConnectionFailed('Unknown delivery tag; the channel was closed.'),
    };
  }

  async #settleInner(delivery: Delivery, settlement: Settlement): Promise<SettleOutcome> {
    const { inner } = delivery;
    if (settlement.operation === 'ack') this.#assertFollowUps(delivery, settlement.followUps);
    if (!('changes' in settlement)) return this.settleOne({ ...settlement, receipt: inner });
    this.#assertDelay(settlement.delaySeconds, this.capabilities.maxReleaseDelaySeconds);
    if (!this.capabilities.keepsPlace) return this.#replace(delivery, settlement);
    const { freeDeferral } = this.capabilities;
    const { attempts, ...others } = settlement.changes;
    const changes = storedChanges({
      ...(attempts === undefined ? {} : { attempts }),
      ...(freeDeferral ? others : {}),
    });
    const delaySeconds = this.#rounded(settlement.delaySeconds);
    return this.settleOne({ ...settlement, receipt: inner, changes, delaySeconds });
  }

  /** The job goes to the back as another message, in one step. */
  async #replace(delivery: Delivery, settlement: ReturnSettlement): Promise<SettleOutcome> {
    const outcome = await this.settleOne({ operation: 'ack', receipt: delivery.inner, followUps: [] });
    if (outcome.status === 'applied') await this.#put(this.#copyOf(delivery, settlement));
    return outcome;
  }

  #copyOf({ item, id }: Delivery, { changes, delaySeconds }: ReturnSettlement): NewJob {
    this.#assertDelay(delaySeconds, this.capabilities.maxReleaseDelaySeconds);
    const raw = item.header;
    const header = raw === null ? null : { ...shown(raw, this.capabilities, this.#receives.get(id) ?? 1) };
    const serialBefore = Number(header?.serial);
    const copied = header === null ? null : { ...header, ...changes, serialBefore };
    return { id, queue: item.queue, body: item.body, header: copied, delaySeconds } as never;
  }

  async #requeue({ inner, item }: Delivery, counts: boolean): Promise<void> {
    const attempts = item.header?.attempts;
    const changes = counts && Number.isInteger(attempts) ? { attempts: Number(attempts) + 1 } : {};
    await this.settleOne({
      operation: 'release',
      receipt: inner,
      changes: storedChanges(changes),
      delaySeconds: 0,
    });
  }

  #rounded(delaySeconds: number): number {
    const step = this.capabilities.delayGranularitySeconds;
    return step < 1 ? delaySeconds : Math.ceil(delaySeconds / step) * step;
  }

  #assertDelay(delaySeconds: number, longest: number): void {
    if (delaySeconds <= longest) return;
    throw new TypeError(`A delay of ${delaySeconds} s should have been refused above the backend.`);
  }

  #assertFollowUps({ item }: Delivery, followUps: readonly NewJob[]): void {
    const { atomicFollowUps } = this.capabilities;
    const can =
      atomicFollowUps === 'same-queue'
        ? followUps.every(({ queue }) => queue === item.queue)
        : atomicFollowUps;
    if (followUps.length > 0 && !can)
      throw new TypeError('A follow-up should have been stored before the ack.');
  }

  protected override forgotten(id: string): void {
    this.#receives.delete(id);
  }
}
