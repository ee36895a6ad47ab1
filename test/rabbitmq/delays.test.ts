import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RabbitMqBackend } from '../../lib/backends/rabbitmq/rabbitmq.backend.js';
import type { NewJob } from '../../lib/contract/index.js';
import type { RabbitMqOptions } from '../../lib/rabbitmq.js';
import { idOf, newJob } from '../support/new-job.js';
import { openRabbitMq, settleOne, type WhenFinished } from '../support/rabbitmq-queue.js';
import { newVhost, type TestVhost } from '../support/rabbitmq-servers.js';
import { isTested } from '../support/servers.js';

const JOBS = 1_000;
const LONGEST_SECONDS = 20;
/** How late a job may come, as it is promised. */
const LATE_SECONDS = 2;
/** When a job that has not come counts as lost. */
const PATIENCE_MS = 5_000;

const kinds: readonly RabbitMqOptions[] = [
  { delays: 'ladder' },
  { delays: 'hold' },
  { queueType: 'quorum', delays: 'ladder' },
  { queueType: 'quorum', delays: 'hold' },
];

describe.runIf(isTested('rabbitmq'))('delays', () => {
  let vhost: TestVhost;
  beforeAll(async () => {
    vhost = await newVhost();
  });
  afterAll(() => vhost.remove());

  async function open(kind: RabbitMqOptions, whenFinished: WhenFinished): Promise<RabbitMqBackend> {
    return openRabbitMq(
      vhost.url,
      {
        ...kind,
        queuePrefix: `test-${kind.queueType ?? 'classic'}-${kind.delays}-`,
      },
      whenFinished,
    );
  }

  it.concurrent.for(kinds)(
    '%j: the second of 10 s and 1 s comes first, in time',
    async (kind, { onTestFinished }) => {
      const backend = await open(kind, onTestFinished);
      const arrivals = new Arrivals(backend, 'order');
      const [long, short] = [
        newJob({ queue: 'order', delaySeconds: 10 }),
        newJob({ queue: 'order', delaySeconds: 1 }),
      ];
      await arrivals.push([long]);
      await arrivals.push([short]);
      await arrivals.all(2);
      expect([...arrivals.lateness.keys()]).toEqual([short.id, long.id]);
      for (const seconds of arrivals.lateness.values()) expect(seconds).toBeGreaterThanOrEqual(0);
      expect(arrivals.lateSeconds(short.id)).toBeLessThan(LATE_SECONDS);
    },
  );

  it.concurrent.for(kinds.slice(0, 2))(
    `%j: of ${JOBS} delays from 1 to ${LONGEST_SECONDS} s none ends early, and none is lost`,
    { timeout: 60_000 },
    async (kind, { onTestFinished }) => {
      const backend = await open(kind, onTestFinished);
      const arrivals = new Arrivals(backend, 'random');
      const jobs = Array.from({ length: JOBS }, () =>
        newJob({ queue: 'random', delaySeconds: 1 + Math.random() * (LONGEST_SECONDS - 1) }),
      );
      await arrivals.push(jobs);
      await arrivals.all(JOBS);
      expect(new Set(arrivals.lateness.keys())).toEqual(new Set(jobs.map(({ id }) => id)));
      const lateness = [...arrivals.lateness.values()];
      console.log(`${JSON.stringify(kind)}: ${Math.min(...lateness)} to ${Math.max(...lateness)} s late`);
      expect(lateness.filter((seconds) => seconds < 0)).toEqual([]);
    },
  );

  it.concurrent.for(kinds)(
    '%j: what is in steady use for a while keeps all of its jobs',
    async (kind, { onTestFinished }) => {
      const backend = await open(kind, onTestFinished);
      const arrivals = new Arrivals(backend, 'steady');
      let pushed = 0;
      // Past the expiry of a queue that only the first push would have kept, and past the broker's look for such queues.
      for (const end = performance.now() + 8_000; performance.now() < end; pushed += 1) {
        await arrivals.push([newJob({ queue: 'steady', delaySeconds: 1 })]);
        await pause(200);
      }
      await arrivals.all(pushed);
    },
  );
});

/** What comes of one queue, and how many seconds after it was due at the earliest, by when its push began. */
class Arrivals {
  readonly lateness = new Map<string, number>();
  readonly #dueAt = new Map<string, number>();
  readonly #pushSeconds = new Map<string, number>();

  constructor(
    private readonly backend: RabbitMqBackend,
    private readonly queue: string,
  ) {}

  async push(jobs: readonly NewJob[]): Promise<void> {
    for (const { id, delaySeconds } of jobs) this.#dueAt.set(id, performance.now() + delaySeconds * 1_000);
    const start = performance.now();
    const outcomes = await this.backend.store(jobs);
    for (const { id } of jobs) this.#pushSeconds.set(id, (performance.now() - start) / 1_000);
    assert.deepEqual(
      outcomes.filter(({ status }) => status !== 'applied'),
      [],
    );
  }

  /** Seconds after a job was due by when its push had resolved: what the declarations before it took is no lateness. */
  lateSeconds(id: string): number {
    return (this.lateness.get(id) ?? Infinity) - (this.#pushSeconds.get(id) ?? 0);
  }

  /** Takes what comes until so many jobs have come; a second time is a failure. */
  async all(count: number): Promise<void> {
    const end = Math.max(...this.#dueAt.values()) + PATIENCE_MS;
    while (this.lateness.size < count && performance.now() < end) {
      const items = await this.backend.reserve([this.queue], 100);
      const now = performance.now();
      for (const item of items) {
        const id = idOf(item);
        assert.ok(!this.lateness.has(id), 'a job comes once');
        this.lateness.set(id, (now - (this.#dueAt.get(id) ?? Infinity)) / 1_000);
        await settleOne(this.backend, { operation: 'ack', receipt: item.receipt, followUps: [] });
      }
      if (items.length === 0) await pause(5);
    }
    assert.equal(this.lateness.size, count, 'jobs that came');
  }
}
