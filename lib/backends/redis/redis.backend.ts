import type {
  BrowsePage,
  BrowseQuery,
  BrowsingBackend,
  Capabilities,
  ClearingBackend,
  DiagnosingBackend,
  FailedJobsBackend,
  FailedJobsPage,
  FailedJobsQuery,
  Finding,
  ListingBackend,
  NewJob,
  PausingBackend,
  QueueCounts,
  ReservedItem,
  RetryAllResult,
  RetryOutcome,
  SettleOutcome,
  Settlement,
  StoredFailedJob,
  StoredJob,
  StoreOutcome,
  WaitOptions,
} from '../../contract/index.js';
import { WakeUp } from '../../contract/wake-up.js';
import { diagnoseRedis } from './diagnose-redis.js';
import { durabilityRisks } from './durability-check.js';
import { RedisFailedJobs } from './failed-jobs.js';
import { Hints } from './hints.js';
import { soonQueuesOf } from './job-arguments.js';
import { JobBrowser } from './job-browser.js';
import { hintsChannel, queueKey } from './queue-keys.js';
import { QueueRegistry } from './queue-registry.js';
import type { RedisBackendParts } from './redis-backend-parts.js';
import { asRedisReceipt } from './redis-receipt.js';
import { REDIS_CAPABILITIES } from './redis.capabilities.js';
import type { RedisSettings } from './redis.options.js';
import { reserveJobs } from './reserve-jobs.js';
import { Scripts } from './scripts.js';
import { translateError } from './server-errors.js';
import { isBareAck, settleBatch, settleJobs } from './settle-jobs.js';
import { storeBatch, storeJobs } from './store-jobs.js';
import { Wire } from './wire.js';

/** Pause of an idle worker between two sweeps, in milliseconds: how late it finds another process's job at most. */
const PAUSE_MS = 1_000;

/** Jobs that one step of a clear removes, or of a reserve leases: the server does nothing else meanwhile. */
const CLEAR_STEP = 1_000;
const RESERVE_STEP = 1_000;

/** Jobs in lists and sorted sets, moved by scripts. What must be atomic is in `scripts/`. */
export class RedisBackend
  implements
    ClearingBackend,
    ListingBackend,
    PausingBackend,
    FailedJobsBackend,
    BrowsingBackend,
    DiagnosingBackend
{
  readonly driver = 'redis';
  readonly settlesBeforeReserve = true;
  readonly capabilities: Capabilities;
  readonly leaseSeconds: number;
  private readonly wakeUp = new WakeUp();
  private readonly parts: RedisBackendParts;
  private readonly failed: RedisFailedJobs;
  private readonly browser: JobBrowser;
  /** When each queue that a sweep found empty has work by itself again, on the monotonic clock of this process. */
  private readonly nextDueAt = new Map<string, number>();

  constructor(settings: RedisSettings, warn: (message: string) => void) {
    this.leaseSeconds = settings.leaseSeconds;
    const keepsFailed = settings.failedJobs !== null;
    this.capabilities = keepsFailed ? REDIS_CAPABILITIES : { ...REDIS_CAPABILITIES, failedJobs: 'no' };
    const { prefix } = settings;
    const wire = new Wire(settings);
    const scripts = new Scripts(wire, prefix);
    const registry = new QueueRegistry(wire, scripts, prefix);
    const hints = new Hints(wire, this.wakeUp, hintsChannel(prefix));
    const steps = { settings, wire, scripts, registry, hints, warn };
    this.parts = { ...steps, settling: settleBatch(steps), storing: storeBatch(steps, PAUSE_MS) };
    this.failed = new RedisFailedJobs(this.parts, (queue) => this.tell(queue));
    this.browser = new JobBrowser(scripts);
  }

  async connect(): Promise<void> {
    const { wire, warn } = this.parts;
    await this.asked('connect()', wire.send('ping', []));
    for (const { message, mend } of await this.asked('connect()', durabilityRisks(wire)))
      warn(`redis(): ${message}: ${mend}.`);
  }

  async store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    const outcomes = await storeJobs(this.parts, jobs);
    for (const queue of soonQueuesOf(jobs, PAUSE_MS)) this.wakeUp.notify(queue);
    return outcomes;
  }

  async reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    this.wakeUp.sweeping(queues);
    const { settling } = this.parts;
    const [first] = queues;
    let acks = first !== undefined && limit > 0 ? settling.take(first, isBareAck) : null;
    settling.send();
    const items: ReservedItem[] = [];
    try {
      for (const queue of queues) {
        for (let isFull = true; isFull && items.length < limit;) {
          const step = Math.min(limit - items.length, RESERVE_STEP);
          const reserve = { queue, limit: step, acks };
          acks = null;
          const found = await reserveJobs(this.parts, reserve);
          this.nextDueAt.set(queue, performance.now() + found.untilDueMs);
          items.push(...found.items);
          isFull = found.items.length === step;
        }
      }
    } catch (error) {
      // What is leased already must reach the caller; the trouble is met again by the next sweep.
      if (items.length === 0) throw translateError(error, 'reserve()');
    }
    return items;
  }

  async waitForWork(
    queues: readonly string[],
    { timeoutMs, signal }: WaitOptions,
  ): Promise<readonly ReservedItem[]> {
    this.parts.hints.listen();
    const nextDueAt = Math.min(...queues.map((queue) => this.nextDueAt.get(queue) ?? Infinity));
    const untilDueMs = Math.max(1, nextDueAt - performance.now());
    await this.wakeUp.wait(queues, Math.min(timeoutMs, PAUSE_MS, untilDueMs), signal);
    return [];
  }

  async settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    const outcomes = await settleJobs(this.parts, settlements);
    for (const [index, settlement] of settlements.entries()) {
      if (outcomes[index]?.status !== 'applied') continue;
      if (settlement.operation === 'ack') {
        for (const queue of soonQueuesOf(settlement.followUps, PAUSE_MS)) this.tell(queue);
      } else if ('delaySeconds' in settlement && settlement.delaySeconds * 1_000 < PAUSE_MS) {
        this.tell(asRedisReceipt(settlement.receipt).queue);
      }
    }
    return outcomes;
  }

  async count(queue: string): Promise<QueueCounts> {
    const answer = await this.asked('count()', this.parts.scripts.run('count', queue));
    const [ready = 0, delayed = 0, reserved = 0, failed = 0, oldestMs = -1, paused = 0] = (
      answer as unknown[]
    ).map(Number);
    return {
      ready,
      delayed,
      reserved,
      failed: this.capabilities.failedJobs === 'no' ? null : failed,
      oldestReadySeconds: oldestMs < 0 ? null : oldestMs / 1_000,
      paused: paused === 1,
    };
  }

  async clear(queue: string): Promise<number> {
    let removed = 0;
    for (;;) {
      const step = Number(await this.asked('clear()', this.parts.scripts.run('clear', queue, [CLEAR_STEP])));
      removed += step;
      if (step < CLEAR_STEP) return removed;
    }
  }

  queues(): Promise<readonly string[]> {
    return this.asked('queues()', this.parts.registry.holdingJobs());
  }

  async pauseQueue(queue: string): Promise<void> {
    await this.asked('pause()', this.parts.wire.send('set', [this.pausedKey(queue), 1]));
  }

  async resumeQueue(queue: string): Promise<void> {
    await this.asked('resume()', this.parts.wire.send('del', [this.pausedKey(queue)]));
    this.tell(queue);
  }

  listFailed(query: FailedJobsQuery): Promise<FailedJobsPage> {
    return this.failed.list(query);
  }

  findFailed(id: string, queue?: string): Promise<StoredFailedJob | null> {
    return this.failed.find(id, queue);
  }

  retryFailed(id: string, queue?: string): Promise<RetryOutcome> {
    return this.failed.retry(id, queue);
  }

  retryAllFailed(queue?: string): Promise<RetryAllResult> {
    return this.failed.retryAll(queue);
  }

  forgetFailed(id: string, queue?: string): Promise<boolean> {
    return this.failed.forget(id, queue);
  }

  flushFailed(queue?: string): Promise<number> {
    return this.failed.flush(queue);
  }

  listJobs(query: BrowseQuery): Promise<BrowsePage> {
    return this.asked('browse()', this.browser.list(query));
  }

  async findJob(queue: string, id: string): Promise<StoredJob | null> {
    return (await this.asked('browse()', this.browser.find(queue, id)))?.job ?? null;
  }

  async removeJob(queue: string, id: string): Promise<boolean> {
    const found = await this.asked('remove()', this.browser.find(queue, id));
    if (found === null || found.place === 'leased') return false;
    return (await this.asked('remove()', this.parts.scripts.run('removeJob', queue, [found.member]))) === 1;
  }

  async promoteJob(queue: string, id: string): Promise<boolean> {
    const found = await this.asked('promote()', this.browser.find(queue, id));
    if (found?.place !== 'delayed') return false;
    const { scripts } = this.parts;
    const promoted = (await this.asked('promote()', scripts.run('promoteJob', queue, [found.member]))) === 1;
    if (promoted) this.tell(queue);
    return promoted;
  }

  diagnose(): Promise<readonly Finding[]> {
    return this.asked('diagnose()', diagnoseRedis(this.parts));
  }

  async close(): Promise<void> {
    this.wakeUp.close();
    await this.parts.hints.close();
    await this.parts.wire.close();
  }

  private pausedKey(queue: string): string {
    return queueKey(this.parts.settings.prefix, queue, 'paused');
  }

  /** Wakes those who wait, here and in other processes. */
  private tell(queue: string): void {
    this.wakeUp.notify(queue);
    this.parts.hints.tell(queue);
  }

  private async asked<T>(action: string, answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      throw translateError(error, action);
    }
  }
}
