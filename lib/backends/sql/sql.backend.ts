import { randomBytes } from 'node:crypto';
import {
  type BrowsePage,
  type BrowseQuery,
  type BrowsingBackend,
  type Capabilities,
  type ClearingBackend,
  type DiagnosingBackend,
  type FailedJobsBackend,
  type FailedJobsPage,
  type FailedJobsQuery,
  type Finding,
  type ListingBackend,
  type MigratingBackend,
  type NewJob,
  type PausingBackend,
  type QueueCounts,
  type ReservedItem,
  type RetryAllResult,
  type RetryOutcome,
  type SchemaState,
  type SettleOutcome,
  type Settlement,
  type StoredFailedJob,
  type StoredJob,
  type StoreOptions,
  type StoreOutcome,
  type WaitOptions,
  pageOf,
  placeOfCursor,
} from '../../contract/index.js';
import { diagnoseSql } from './diagnose/diagnose-sql.js';
import type { NextStep, ReserveRequest } from './dialects/sql-dialect.js';
import type { SqlRow } from './executor/sql-executor.js';
import { SqlFailedJobs } from './failed-jobs.js';
import { Hints } from './hints.js';
import { readyQueuesOf, reservedItemOf, storedJobOf } from './job-row.js';
import { assertSchema } from './schema-check.js';
import { outcomeOf, settleBatches, type SettleBatches, type TakenAcks } from './settle-batches.js';
import type { SqlBackendParts } from './sql-backend-parts.js';
import type { Work } from './sql-gate.js';
import { SQL_CAPABILITIES } from './sql.capabilities.js';
import { storeBatches, type StoreBatches } from './store-batches.js';
import { storeWithin } from './store-within.js';
import { translateError } from './server-errors.js';
import { asSqlReceipt } from './sql-receipt.js';
import { isStorableId } from './storable-id.js';
import { WakeUp } from '../../contract/wake-up.js';

/** Pause of an idle worker between two sweeps, in milliseconds: how late it finds another process's job at most. */
const PAUSE_MS = 1_000;

/** Rows that one step of a clear removes: SQLite has one writer, and its steps stop this process. */
const CLEAR_BATCH_SIZE = 1_000;

/** Jobs as rows of a table. What is not told here is in the dialect. */
export class SqlBackend
  implements
    ClearingBackend,
    ListingBackend,
    PausingBackend,
    FailedJobsBackend,
    BrowsingBackend,
    MigratingBackend,
    DiagnosingBackend
{
  readonly driver = 'sql';
  readonly capabilities: Capabilities;
  readonly leaseSeconds: number;
  private readonly wakeUp = new WakeUp();
  private readonly hints: Hints;
  private readonly stores: StoreBatches;
  private readonly settlements: SettleBatches;
  private readonly failed: SqlFailedJobs;

  constructor(private readonly parts: SqlBackendParts) {
    this.leaseSeconds = parts.settings.leaseSeconds;
    const keepsFailed = parts.settings.failedJobs !== null;
    this.capabilities = keepsFailed ? SQL_CAPABILITIES : { ...SQL_CAPABILITIES, failedJobs: 'no' };
    const { gate, settings } = parts;
    this.hints = new Hints({ gate, wakeUp: this.wakeUp, enabled: settings.notify });
    this.failed = new SqlFailedJobs(parts, (queue) => this.tell(queue));
    this.stores = storeBatches(parts, this.hints);
    this.settlements = settleBatches(parts);
  }

  /** Known once the database was reached. */
  get settlesBeforeReserve(): boolean {
    return this.nextStep !== null;
  }

  async connect(): Promise<void> {
    const found = await this.session('connect()', async (session, dialect) => ({
      version: await dialect.schemaVersion(session),
      advice: await dialect.advice(session),
    }));
    assertSchema(found.version);
    if (found.advice !== null) this.parts.warn(`sql(): ${found.advice}`);
  }

  async store(jobs: readonly NewJob[], options: StoreOptions = {}): Promise<readonly StoreOutcome[]> {
    for (const { header } of jobs) this.parts.gate.lease.met(header.leaseSeconds);
    if (options.transaction !== undefined) {
      return storeWithin(this.parts, jobs, options.transaction, () => this.wake(jobs));
    }
    const outcomes = await this.stores.store(jobs);
    this.wake(jobs);
    return outcomes;
  }

  async reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    if (queues.length === 0 || limit < 1) return [];
    this.wakeUp.sweeping(queues);
    const { leaseSeconds } = this;
    const token = randomBytes(16).toString('hex');
    const request = { queues, limit, token, leaseSeconds };
    const next = queues.length === 1 ? this.nextStep : null;
    const rows = next === null ? await this.lease(request) : await this.settleAndLease(next, request);
    const items = rows.map((row) => reservedItemOf(row, { token, leaseSeconds }));
    for (const item of items) this.parts.gate.lease.met(item.leaseSeconds);
    return items;
  }

  async waitForWork(
    queues: readonly string[],
    { timeoutMs, signal }: WaitOptions,
  ): Promise<readonly ReservedItem[]> {
    this.hints.listen();
    await this.wakeUp.wait(queues, Math.min(timeoutMs, PAUSE_MS), signal);
    return [];
  }

  async settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    const outcomes = await this.settlements.settle(settlements);
    for (const [index, settlement] of settlements.entries()) {
      if (outcomes[index]?.status !== 'applied') continue;
      if (settlement.operation === 'ack') {
        for (const queue of readyQueuesOf(settlement.followUps)) this.tell(queue);
      } else if ('delaySeconds' in settlement && settlement.delaySeconds === 0) {
        this.tell(asSqlReceipt(settlement.receipt).queue);
      }
    }
    return outcomes;
  }

  async count(queue: string): Promise<QueueCounts> {
    const row = await this.session('count()', (session, dialect) => dialect.count(session, queue));
    return {
      ready: row.ready,
      delayed: row.delayed,
      reserved: row.reserved,
      failed: this.capabilities.failedJobs === 'no' ? null : row.failed,
      oldestReadySeconds: row.oldestMs === null ? null : Math.max(0, row.oldestMs / 1_000),
      paused: row.paused,
    };
  }

  async clear(queue: string): Promise<number> {
    let removed = 0;
    for (;;) {
      const step = await this.session('clear()', (session, dialect) =>
        dialect.clear(session, queue, CLEAR_BATCH_SIZE),
      );
      removed += step;
      if (step < CLEAR_BATCH_SIZE) return removed;
    }
  }

  queues(): Promise<readonly string[]> {
    return this.session('queues()', (session, dialect) => dialect.queues(session));
  }

  pauseQueue(queue: string): Promise<void> {
    return this.session('pause()', (session, dialect) => dialect.pause(session, queue));
  }

  async resumeQueue(queue: string): Promise<void> {
    await this.session('resume()', (session, dialect) => dialect.resume(session, queue));
    this.tell(queue);
  }

  listFailed(query: FailedJobsQuery): Promise<FailedJobsPage> {
    return this.failed.list(query);
  }

  findFailed(id: string): Promise<StoredFailedJob | null> {
    return this.failed.find(id);
  }

  retryFailed(id: string): Promise<RetryOutcome> {
    return this.failed.retry(id);
  }

  retryAllFailed(queue?: string): Promise<RetryAllResult> {
    return this.failed.retryAll(queue);
  }

  forgetFailed(id: string): Promise<boolean> {
    return this.failed.forget(id);
  }

  flushFailed(queue?: string): Promise<number> {
    return this.failed.flush(queue);
  }

  async listJobs({ queue, state, limit, cursor }: BrowseQuery): Promise<BrowsePage> {
    const position = { queue, state, seq: placeOfCursor(cursor, 0), limit: limit + 1 };
    const rows = await this.session('browse()', (session, dialect) => dialect.browse.list(session, position));
    return pageOf(rows, limit, storedJobOf, (row) => row['seq']);
  }

  async findJob(queue: string, id: string): Promise<StoredJob | null> {
    if (!isStorableId(id)) return null;
    const row = await this.session('browse()', (session, dialect) => dialect.browse.find(session, queue, id));
    return row === null ? null : storedJobOf(row);
  }

  async removeJob(queue: string, id: string): Promise<boolean> {
    if (!isStorableId(id)) return false;
    return this.session('remove()', (session, dialect) => dialect.browse.remove(session, queue, id));
  }

  async promoteJob(queue: string, id: string): Promise<boolean> {
    if (!isStorableId(id)) return false;
    const promoted = await this.session('promote()', (session, dialect) =>
      dialect.browse.promote(session, queue, id),
    );
    if (promoted) this.tell(queue);
    return promoted;
  }

  schemaState(): Promise<SchemaState> {
    return this.parts.schema.state();
  }

  migrate(): Promise<number> {
    return this.parts.schema.migrate();
  }

  diagnose(): Promise<readonly Finding[]> {
    return diagnoseSql(this.parts);
  }

  async close(): Promise<void> {
    this.wakeUp.close();
    await this.hints.close();
    await this.parts.gate.close();
  }

  private get nextStep(): NextStep | null {
    return this.parts.gate.opened?.dialect.next ?? null;
  }

  private lease(request: ReserveRequest): Promise<readonly SqlRow[]> {
    return this.session('reserve()', (session, dialect) => dialect.reserve(session, request));
  }

  /** Takes acks that wait along, and keeps others waiting for whoever gets what this brings: that one is about to reserve. */
  private async settleAndLease(next: NextStep, request: ReserveRequest): Promise<readonly SqlRow[]> {
    const acks = await this.settlements.takeAcks();
    const ended = this.settlements.reserving();
    try {
      const rows = acks === null ? [] : await this.leaseWith(next, acks, request);
      return rows.length > 0 ? rows : await this.lease(request);
    } finally {
      ended();
    }
  }

  /** One step for both; the acks are answered whatever becomes of the rest. */
  private async leaseWith(
    next: NextStep,
    acks: TakenAcks,
    request: ReserveRequest,
  ): Promise<readonly SqlRow[]> {
    const { gate } = this.parts;
    try {
      const { rows, removed } = await gate.session((session) => next(session, request, acks.requests));
      acks.answer(removed.map(outcomeOf));
      return rows;
    } catch (error) {
      acks.fail(error);
      throw translateError(error, 'reserve()');
    }
  }

  /** Wakes those of this process; other processes are told in the step that stores. */
  private wake(jobs: readonly NewJob[]): void {
    for (const queue of readyQueuesOf(jobs)) this.wakeUp.notify(queue);
  }

  private tell(queue: string): void {
    this.wakeUp.notify(queue);
    this.hints.tell(queue);
  }

  private async session<T>(action: string, work: Work<T>): Promise<T> {
    try {
      return await this.parts.gate.session(work);
    } catch (error) {
      throw translateError(error, action);
    }
  }
}
