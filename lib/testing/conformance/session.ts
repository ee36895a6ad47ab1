import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type QueueBackend, type QueueCounts, QueuedJob, type ReservedItem } from '../../contract/index.js';
import type { JobInstance } from '../../jobs/index.js';
import {
  ClearableQueue,
  ConnectionDirectory,
  Queue,
  QueueConnection,
  type PushOptions,
  type ReserveAnswer,
} from '../../queue/index.js';
import { expectSame } from './expect-same.js';
import type { ConformanceHarness, OpenedStore, RawItem } from './harness.js';
import { Note } from './jobs.js';

const DEFAULT_PATIENCE_MS = 3_000;

const NEVER = new AbortController().signal;

let names = 0;

/** What a queue of one's own may hold from an earlier run at most, before it is somebody else's after all. */
const MOST_STRANGERS = 100;

/** A queue name that no other case and no other process uses. */
function freshName(): string {
  names += 1;
  return `t${randomBytes(4).toString('hex')}-${names}`;
}

/** One case's view of a store: a connection on it, a queue of its own, and time that can be passed. */
export class Session {
  readonly harness: ConformanceHarness;
  readonly backend: QueueBackend;
  readonly connection: QueueConnection;
  readonly api: Queue;
  /** The case's own queue. */
  readonly queue = freshName();
  /** Seconds of the lease that the backend was configured with. */
  readonly leaseSeconds: number;
  /** Seconds of a delay that is long enough to look before it is over. */
  readonly delaySeconds: number;
  /** What the connection warned about. */
  readonly warnings: string[] = [];
  readonly #store: OpenedStore;
  /** By which the store's time was moved. */
  #passedSeconds = 0;

  private constructor(harness: ConformanceHarness, store: OpenedStore, leaseSeconds: number) {
    this.harness = harness;
    this.#store = store;
    this.backend = store.backend;
    this.leaseSeconds = leaseSeconds;
    this.delaySeconds = Math.max(leaseSeconds / 2, harness.capabilities.delayGranularitySeconds);
    this.connection = this.#connect(store.backend);
    const directory = new ConnectionDirectory();
    directory.add(this.connection);
    this.api = new Queue(this.connection, directory);
  }

  static async open(harness: ConformanceHarness): Promise<Session> {
    // In real time a case waits for whole leases, so they are short; longer than any look before their end.
    const { realLeaseSeconds = 3 } = harness;
    const leaseSeconds = harness.facilities.includes('clock') ? 600 : realLeaseSeconds;
    return new Session(harness, await harness.open({ leaseSeconds }), leaseSeconds);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  /** Another queue of this case. */
  anotherQueue(): string {
    return freshName();
  }

  /** Pushes a job onto the case's queue, unless the options name another. */
  async push(job: string | JobInstance, options: PushOptions = {}): Promise<string> {
    const id = await this.api.push(typeof job === 'string' ? new Note(job) : job, {
      queue: this.queue,
      ...options,
    });
    expectSame(typeof id, 'string', 'push() of a job without a unique key answers its id');
    return id as string;
  }

  /** Pushes notes one after the other. */
  async pushAll(texts: readonly string[], options: PushOptions = {}): Promise<string[]> {
    const ids: string[] = [];
    for (const text of texts) ids.push(await this.push(text, options));
    return ids;
  }

  /** The next delivery, which must be there by now; a job that does not come is a failure after some seconds. */
  async take(queue: string = this.queue): Promise<QueuedJob> {
    const answer = await this.look([queue]);
    assert.ok(answer !== undefined, 'expected a job to be there, but the queue has none to give');
    assert.ok(answer instanceof QueuedJob, `expected a job, came ${answer.constructor.name}`);
    return answer;
  }

  /** The next deliveries one by one, exactly `count` of them. */
  async takeMany(count: number, queue: string = this.queue): Promise<QueuedJob[]> {
    const jobs: QueuedJob[] = [];
    while (jobs.length < count) jobs.push(await this.take(queue));
    return jobs;
  }

  /**
   * The job with this id, from a queue whose name other runs use too: what a run that ended early left there is
   * acknowledged on the way.
   */
  async takeOwn(id: string, queue: string): Promise<QueuedJob> {
    for (let strangers = 0; strangers <= MOST_STRANGERS; strangers += 1) {
      const job = await this.take(queue);
      if (job.id === id) return job;
      await this.connection.settler.ack(job);
    }
    assert.fail(`expected the job that was pushed onto "${queue}", came more than ${MOST_STRANGERS} others`);
  }

  /** What the queues have to give next, with some patience; undefined when nothing came. */
  async look(queues: readonly string[]): Promise<ReserveAnswer | undefined> {
    const timeoutMs = this.patienceMs;
    const { answers } = await this.connection.next(queues, { limit: 1, timeoutMs, signal: NEVER });
    const [answer] = answers;
    return answer;
  }

  /** How long something that must be there is looked for. */
  get patienceMs(): number {
    return this.harness.patienceMs ?? DEFAULT_PATIENCE_MS;
  }

  /** Exactly `count` answers, of as many looks as it takes: a sweep may find less than there is. */
  async gather(count: number, queues: readonly string[] = [this.queue]): Promise<ReserveAnswer[]> {
    const timeoutMs = this.patienceMs;
    const answers: ReserveAnswer[] = [];
    while (answers.length < count) {
      const limit = count - answers.length;
      const { answers: found } = await this.connection.next(queues, { limit, timeoutMs, signal: NEVER });
      assert.ok(found.length > 0, `expected ${count} items to be there, came ${answers.length}`);
      assert.ok(found.length <= limit, `expected at most ${limit} items, came ${found.length}`);
      answers.push(...found);
    }
    return answers;
  }

  /**
   * What the case's queue has to give now, at most `limit`. A store without order may find less in a sweep than there
   * is, and one whose counts are estimates may show a job late: such a store is given some patience.
   */
  async rest(limit: number, connection: QueueConnection = this.connection): Promise<ReserveAnswer[]> {
    const { keepsOrder, exactCounts } = this.harness.capabilities;
    if (keepsOrder && exactCounts) return connection.reserve([this.queue], limit);
    const look = { limit, timeoutMs: this.patienceMs, signal: NEVER };
    return [...(await connection.next([this.queue], look)).answers];
  }

  /** The next item of the case's queue as the backend gives it, undecoded. */
  async item(): Promise<ReservedItem> {
    return at(await this.items(1), 0);
  }

  /** Exactly `count` items of the case's queue as the backend gives them, undecoded. */
  async items(count: number): Promise<ReservedItem[]> {
    const items: ReservedItem[] = [];
    const deadline = performance.now() + this.patienceMs;
    while (items.length < count) {
      const limit = count - items.length;
      items.push(...(await this.backend.reserve([this.queue], limit)));
      if (items.length >= count) break;
      assert.ok(performance.now() < deadline, `expected ${count} items to be there, came ${items.length}`);
      const options = { timeoutMs: 10, limit: count - items.length, signal: NEVER };
      items.push(...(await this.backend.waitForWork([this.queue], options)));
    }
    return items;
  }

  /** Compares texts in their order, or without it where the backend keeps none. */
  expectTexts(texts: readonly string[], expected: readonly string[], why = 'the jobs that come'): void {
    if (this.backend.capabilities.keepsOrder) expectSame(texts, expected, why);
    else expectSame(texts.toSorted(), expected.toSorted(), why);
  }

  /** One immediate sweep of the case's queue. */
  reserve(limit: number): Promise<ReserveAnswer[]> {
    return this.connection.reserve([this.queue], limit);
  }

  /** Fails when the queue has anything to give now. */
  async expectNothing(why: string, queue: string = this.queue): Promise<void> {
    const answers = await this.connection.reserve([queue], 10);
    expectSame(textsOf(answers), [], why);
  }

  counts(queue: string = this.queue): Promise<QueueCounts> {
    return this.connection.counts(queue);
  }

  /** Compares the counts that were named, as far as the backend knows them for certain. */
  async expectCounts(
    expected: Partial<QueueCounts>,
    why = 'counts()',
    queue: string = this.queue,
  ): Promise<void> {
    const counts: { readonly [name: string]: unknown } = { ...(await this.counts(queue)) };
    const certain = Object.entries(expected).filter(
      ([name]) => this.backend.capabilities.exactCounts || name === 'paused',
    );
    const named = Object.fromEntries(certain.map(([name]) => [name, counts[name]]));
    expectSame(named, Object.fromEntries(certain), why);
  }

  /** Seconds of the store's time; good for differences only. */
  get now(): number {
    return performance.now() / 1_000 + this.#passedSeconds;
  }

  /**
   * Fails when the queue has anything to give before `end` (in the time of `now`). A process that was held up past that
   * moment has seen nothing that it could fail: then false.
   */
  async expectNothingBefore(end: number, why: string): Promise<boolean> {
    const answers = await this.reserve(10);
    if (answers.length === 0) return true;
    assert.ok(this.now >= end, why);
    return false;
  }

  clear(queue: string = this.queue): Promise<number> {
    return new ClearableQueue(this.api).clear(queue);
  }

  /** Lets time pass for the store: by its clock, or really. */
  async pass(seconds: number): Promise<void> {
    if (this.#store.advance === undefined) await sleep(seconds * 1_000 + 20);
    else {
      await this.#store.advance(seconds);
      this.#passedSeconds += seconds;
    }
  }

  /** Lets the configured lease, counted from now, run out; where nothing is leased there is nothing to wait for. */
  async expireLease(): Promise<void> {
    if (!this.harness.capabilities.extend) return;
    await this.pass(this.leaseSeconds + this.slackSeconds);
  }

  /** Added to a time so that it is over for certain, whatever step the backend keeps time in. */
  get slackSeconds(): number {
    const { delayGranularitySeconds } = this.harness.capabilities;
    return this.#store.advance === undefined ? delayGranularitySeconds + 0.1 : delayGranularitySeconds + 1;
  }

  async storeRaw(item: Omit<RawItem, 'queue'> & { readonly queue?: string }): Promise<void> {
    assert.ok(this.#store.storeRaw, 'a harness with the facility storeRaw has storeRaw()');
    await this.#store.storeRaw({ queue: this.queue, ...item });
  }

  /** Cuts the backend off. */
  async disconnect(): Promise<void> {
    assert.ok(this.#store.disconnect, 'a harness with the facility disconnect has disconnect()');
    await this.#store.disconnect();
  }

  /** Keeps the next request from being answered. */
  async silence(lost: 'request' | 'answer'): Promise<void> {
    assert.ok(this.#store.silence, 'a harness with the facility silence has silence()');
    await this.#store.silence(lost);
  }

  /** Lets the server refuse the entry at this place of the next batch. */
  async refuse(entry: number): Promise<void> {
    assert.ok(this.#store.refuse, 'a harness with the facility refuse has refuse()');
    await this.#store.refuse(entry);
  }

  /** A connection on the same store that shares nothing else with this one. */
  async second(): Promise<QueueConnection> {
    assert.ok(this.#store.second, 'a harness with the facility second has second()');
    return this.#connect(await this.#store.second());
  }

  #connect(backend: QueueBackend): QueueConnection {
    const report = (message: string): void => {
      this.warnings.push(message);
    };
    return new QueueConnection({ name: 'default', backend, reporter: { warn: report, error: report } });
  }
}

/** The texts of notes, and the class names of answers that are no jobs. */
export function textsOf(answers: readonly ReserveAnswer[]): string[] {
  return answers.map((answer) => (answer instanceof QueuedJob ? textOf(answer) : answer.constructor.name));
}

export function textOf(job: QueuedJob): string {
  return String(job.args['text']);
}

/** Only the jobs of an answer; anything else in it is a failure. */
export function jobsOf(answers: readonly ReserveAnswer[]): QueuedJob[] {
  return answers.map((answer) => {
    assert.ok(answer instanceof QueuedJob, `expected a job, came ${answer.constructor.name}`);
    return answer;
  });
}

/** The job with this text, which must be among them. */
export function withText(jobs: readonly QueuedJob[], text: string): QueuedJob {
  const job = jobs.find((candidate) => textOf(candidate) === text);
  assert.ok(
    job !== undefined,
    `expected "${text}" to be among the jobs, came ${jobs.map(textOf).join(', ')}`,
  );
  return job;
}

/** The entry of a list that must be there. */
export function at<T>(list: readonly T[], index: number): T {
  const entry = list[index];
  assert.ok(entry !== undefined, `expected an entry ${index} of a list, came ${list.length} entries`);
  return entry;
}
