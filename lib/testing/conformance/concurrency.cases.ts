import assert from 'node:assert/strict';
import { type QueuedJob, StaleJobHandleException } from '../../contract/index.js';
import type { QueueConnection } from '../../queue/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { Note } from './jobs.js';
import { jobsOf, type Session } from './session.js';

const concurrencyCase = concern('concurrency');

async function fill(session: Session, count: number): Promise<(string | null)[]> {
  return session.api.pushMany(
    Array.from({ length: count }, (_, index) => ({ job: new Note(String(index)), queue: session.queue })),
  );
}

/** Reserves until the queue is empty. */
async function drain(connection: QueueConnection, queue: string, limit: number): Promise<QueuedJob[]> {
  const jobs: QueuedJob[] = [];
  for (;;) {
    const batch = jobsOf(await connection.reserve([queue], limit));
    if (batch.length === 0) return jobs;
    jobs.push(...batch);
  }
}

const reserves: readonly ConformanceCase[] = [
  ...[1, 7].map((limit) =>
    concurrencyCase(
      `two consumers that reserve ${limit} at a time never share a delivery`,
      async (session) => {
        const other = await session.second();
        const ids = await fill(session, 120);
        const drained = await Promise.all([
          drain(session.connection, session.queue, limit),
          drain(other, session.queue, limit),
          drain(session.connection, session.queue, limit),
          drain(other, session.queue, limit),
        ]);
        const seen = drained.flat().map((job) => job.id);
        assert.equal(seen.length, ids.length, 'each job was delivered once');
        assert.deepEqual(new Set(seen), new Set(ids));
      },
      { facilities: ['second'] },
    ),
  ),
  concurrencyCase('reserves at the same time never share a delivery', async (session) => {
    const ids = await fill(session, 60);
    const batches = await Promise.all(Array.from({ length: 20 }, () => session.reserve(4)));
    const jobs = batches.flatMap(jobsOf);
    const rest = await drain(session.connection, session.queue, 10);
    const seen = [...jobs, ...rest].map((job) => job.id);
    assert.equal(seen.length, ids.length);
    assert.deepEqual(new Set(seen), new Set(ids));
  }),
  concurrencyCase(
    'a lost lease is reclaimed once, whoever looks at the same time',
    async (session) => {
      const other = await session.second();
      const ids = await fill(session, 30);
      await session.gather(30);
      await session.expireLease();
      const drained = await Promise.all([
        drain(session.connection, session.queue, 2),
        drain(other, session.queue, 2),
        drain(session.connection, session.queue, 2),
      ]);
      const jobs = drained.flat();
      assert.equal(jobs.length, ids.length);
      assert.deepEqual(new Set(jobs.map((job) => job.id)), new Set(ids));
      assert.deepEqual(new Set(jobs.map((job) => job.attempts)), new Set([2]));
    },
    { facilities: ['second'], extend: true, countsCrashes: true },
  ),
  concurrencyCase(
    'due jobs are promoted once, whoever looks at the same time',
    async (session) => {
      const other = await session.second();
      for (let index = 0; index < 30; index += 1) {
        await session.push(String(index), { delaySeconds: session.delaySeconds });
      }
      await session.pass(session.delaySeconds + session.slackSeconds);
      const drained = await Promise.all([
        drain(session.connection, session.queue, 2),
        drain(other, session.queue, 2),
      ]);
      assert.equal(drained.flat().length, 30);
      assert.equal(new Set(drained.flat().map((job) => job.id)).size, 30);
    },
    { facilities: ['second'] },
  ),
  concurrencyCase('pushes at the same time are all stored', async (session) => {
    const ids = await Promise.all(Array.from({ length: 50 }, (_, index) => session.push(String(index))));
    const jobs = await drain(session.connection, session.queue, 50);
    assert.deepEqual(new Set(jobs.map((job) => job.id)), new Set(ids));
    assert.equal(jobs.length, 50);
  }),
];

const settlements: readonly ConformanceCase[] = [
  concurrencyCase('acks at the same time are all applied', async (session) => {
    await fill(session, 50);
    const jobs = await session.takeMany(50);
    await Promise.all(jobs.map((job) => session.connection.settler.ack(job)));
    await session.expectCounts({ ready: 0 });
    await session.expireLease();
    await session.expectNothing('none comes back');
  }),
  concurrencyCase(
    'among settlements at the same time exactly the stale ones are reported',
    async (session) => {
      await fill(session, 40);
      const jobs = await session.takeMany(40);
      const stale = jobs.filter((_, index) => index % 5 === 0);
      await Promise.all(stale.map((job) => session.connection.settler.ack(job)));
      const results = await Promise.allSettled(jobs.map((job) => session.connection.settler.ack(job)));
      for (const [index, result] of results.entries()) {
        assert.equal(result.status, index % 5 === 0 ? 'rejected' : 'fulfilled', `settlement ${index}`);
        if (result.status === 'rejected') assert.ok(result.reason instanceof StaleJobHandleException);
      }
      await session.expectCounts({ ready: 0, reserved: 0 });
    },
    { fencedSettlement: true },
  ),
  concurrencyCase(
    'of all settlements of one delivery at the same time one is applied',
    async (session) => {
      const { settler } = session.connection;
      for (let round = 0; round < 10; round += 1) {
        await session.push('a');
        const job = await session.take();
        const results = await Promise.allSettled([
          settler.ack(job),
          settler.release(job),
          settler.fail(job, new Error('given up on')),
          settler.ack(job),
        ]);
        assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
        for (const result of results) {
          if (result.status === 'rejected') assert.ok(result.reason instanceof StaleJobHandleException);
        }
        for (const left of await drain(session.connection, session.queue, 5)) await settler.ack(left);
      }
    },
    { fencedSettlement: true },
  ),
  concurrencyCase(
    'pushes, reserves and settlements at the same time lose and double nothing',
    async (session) => {
      const done: string[] = [];
      const total = 60;
      const push = async (): Promise<void> => {
        for (let index = 0; index < total; index += 1) await session.push(String(index));
      };
      const consume = async (): Promise<void> => {
        while (done.length < total) {
          const job = await session.connection.pop(5, [session.queue], new AbortController().signal);
          if (job === null) return;
          await session.connection.settler.ack(job);
          done.push(job.id);
          if (done.length === total) return;
        }
      };
      await Promise.all([push(), consume()]);
      assert.equal(new Set(done).size, total);
      await session.expectCounts({ ready: 0 });
    },
  ),
];

export const concurrencyCases: readonly ConformanceCase[] = [...reserves, ...settlements];
