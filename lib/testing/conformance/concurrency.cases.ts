import assert from 'node:assert/strict';
import { type QueuedJob, StaleJobHandleException } from '../../contract/index.js';
import type { QueueConnection } from '../../queue/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import { Note } from './jobs.js';
import { jobsOf, type Session } from './session.js';

const concurrencyCase = concern('concurrency');

async function fill(session: Session, count: number): Promise<(string | null)[]> {
  return session.api.pushMany(
    Array.from({ length: count }, (_, index) => ({ job: new Note(String(index)), queue: session.queue })),
  );
}

/** Reserves until the queue is empty. */
async function drain(
  session: Session,
  limit: number,
  connection: QueueConnection = session.connection,
): Promise<QueuedJob[]> {
  const jobs: QueuedJob[] = [];
  for (;;) {
    const batch = jobsOf(await session.rest(limit, connection));
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
          drain(session, limit),
          drain(session, limit, other),
          drain(session, limit),
          drain(session, limit, other),
        ]);
        const seen = drained.flat().map((job) => job.id);
        expectSame(seen.length, ids.length, 'each job was delivered once');
        expectSame(new Set(seen), new Set(ids), 'ids of the deliveries are those of the pushes');
      },
      { facilities: ['second'] },
    ),
  ),
  concurrencyCase('reserves at the same time never share a delivery', async (session) => {
    const ids = await fill(session, 60);
    const batches = await Promise.all(Array.from({ length: 20 }, () => session.reserve(4)));
    const jobs = batches.flatMap(jobsOf);
    const rest = await drain(session, 10);
    const seen = [...jobs, ...rest].map((job) => job.id);
    expectSame(seen.length, ids.length, 'how often jobs were delivered, each of them once');
    expectSame(new Set(seen), new Set(ids), 'ids of the deliveries are those of the pushes');
  }),
  concurrencyCase(
    'a lost lease is reclaimed once, whoever looks at the same time',
    async (session) => {
      const other = await session.second();
      const ids = await fill(session, 30);
      await session.gather(30);
      await session.expireLease();
      const drained = await Promise.all([drain(session, 2), drain(session, 2, other), drain(session, 2)]);
      const jobs = drained.flat();
      expectSame(jobs.length, ids.length, 'how often lost jobs were delivered again, each of them once');
      expectSame(new Set(jobs.map((job) => job.id)), new Set(ids), 'ids of the second deliveries');
      expectSame(new Set(jobs.map((job) => job.attempts)), new Set([2]), 'attempts of the second deliveries');
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
      const drained = await Promise.all([drain(session, 2), drain(session, 2, other)]);
      expectSame(drained.flat().length, 30, 'how often due jobs were delivered, each of them once');
      expectSame(new Set(drained.flat().map((job) => job.id)).size, 30, 'different jobs among them');
    },
    { facilities: ['second'] },
  ),
  concurrencyCase('pushes at the same time are all stored', async (session) => {
    const ids = await Promise.all(Array.from({ length: 50 }, (_, index) => session.push(String(index))));
    const jobs = await drain(session, 50);
    expectSame(
      new Set(jobs.map((job) => job.id)),
      new Set(ids),
      'ids of the deliveries are those of the pushes',
    );
    expectSame(jobs.length, 50, 'how often jobs were delivered, each of them once');
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
        expectSame(result.status, index % 5 === 0 ? 'rejected' : 'fulfilled', `settlement ${index}`);
        if (result.status === 'rejected')
          assert.ok(
            result.reason instanceof StaleJobHandleException,
            'a settlement that is rejected is stale',
          );
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
        expectSame(
          results.filter(({ status }) => status === 'fulfilled').length,
          1,
          'settlements of one delivery that were applied',
        );
        for (const result of results) {
          if (result.status === 'rejected')
            assert.ok(
              result.reason instanceof StaleJobHandleException,
              'a settlement that is rejected is stale',
            );
        }
        for (const left of await drain(session, 5)) await settler.ack(left);
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
      expectSame(new Set(done).size, total, 'different jobs among those that were done');
      await session.expectCounts({ ready: 0 });
    },
  ),
];

export const concurrencyCases: readonly ConformanceCase[] = [...reserves, ...settlements];
