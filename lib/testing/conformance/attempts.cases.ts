import assert from 'node:assert/strict';
import type { QueuedJob } from '../../contract/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import type { Needs } from './needs.js';
import type { Session } from './session.js';

const attemptCase = concern('attempts');

/** A way in which a delivery ends and the job comes again. */
interface Return {
  readonly what: string;
  readonly needs: Needs;
  /** What it adds to attempts and deferrals. */
  readonly adds: readonly [attempts: number, deferrals: number];
  readonly end: (session: Session, job: QueuedJob) => Promise<void>;
}

const returns: readonly Return[] = [
  {
    what: 'a release',
    needs: {},
    adds: [1, 0],
    end: (session, job) => session.connection.settler.release(job),
  },
  {
    what: 'a release with a delay',
    needs: {},
    adds: [1, 0],
    end: async (session, job) => {
      await session.connection.settler.release(job, { delaySeconds: session.delaySeconds });
      await session.pass(session.delaySeconds + session.slackSeconds);
    },
  },
  {
    what: 'a reclaimed lease',
    needs: { extend: true, countsCrashes: true },
    adds: [1, 0],
    end: (session) => session.expireLease(),
  },
  {
    what: 'a deferral',
    needs: { freeDeferral: true },
    adds: [0, 1],
    end: (session, job) => session.connection.settler.defer(job),
  },
  {
    what: 'a deferral with a delay',
    needs: { freeDeferral: true },
    adds: [0, 1],
    end: async (session, job) => {
      await session.connection.settler.defer(job, { delaySeconds: session.delaySeconds });
      await session.pass(session.delaySeconds + session.slackSeconds);
    },
  },
  {
    what: 'a give-back',
    needs: { freeDeferral: true },
    adds: [0, 0],
    end: (session, job) => session.connection.settler.giveBack(job),
  },
];

async function countsRounds(session: Session, { adds, end }: Return): Promise<void> {
  await session.push('a');
  let job = await session.take();
  expectSame([job.attempts, job.deferrals], [1, 0], 'the first delivery is attempt 1');
  for (let round = 1; round <= 3; round += 1) {
    await end(session, job);
    job = await session.take();
    expectSame(
      [job.attempts, job.deferrals],
      [1 + adds[0] * round, adds[1] * round],
      'each round adds to attempts and deferrals',
    );
  }
}

async function keepsTheJob(session: Session, { end }: Return): Promise<void> {
  await session.push('kept', { maxAttempts: 9, metadata: { tenant: 'acme' } });
  const before = await session.take();
  await end(session, before);
  const after = await session.take();
  expectSame(after.body, before.body, 'the body is immutable');
  expectSame(after.queue, before.queue, 'the job stays on its queue');
  expectSame(after.priority, before.priority, 'the job keeps its priority');
  expectSame(after.header.leaseSeconds, before.header.leaseSeconds, 'the job keeps its own lease length');
  assert.notDeepEqual(after.handle, before.handle, 'another delivery has another receipt');
  assert.ok(after.header.serial > before.header.serial, 'every transition raises the serial');
}

const single: readonly ConformanceCase[] = [
  attemptCase(
    'releases, lost leases, deferrals and give-backs add up',
    async (session) => {
      const { settler } = session.connection;
      await session.push('a');
      await settler.release(await session.take());
      await session.take();
      await session.expireLease();
      await settler.defer(await session.take());
      await settler.giveBack(await session.take());
      const job = await session.take();
      expectSame(
        [job.attempts, job.deferrals],
        [3, 1],
        'attempts and deferrals after a release, a lost lease, a deferral and a give-back',
      );
    },
    { extend: true, countsCrashes: true, freeDeferral: true },
  ),
  attemptCase(
    'an extension is no transition: it spends nothing and keeps the receipt',
    async (session) => {
      await session.push('a');
      const job = await session.take();
      await session.connection.settler.extend(job, { seconds: session.leaseSeconds });
      await session.connection.settler.extend(job, { seconds: session.leaseSeconds });
      await session.connection.settler.release(job);
      expectSame((await session.take()).attempts, 2, 'attempts after an extended delivery and its release');
    },
    { extend: true },
  ),
  attemptCase('one job’s attempts are not another’s', async (session) => {
    await session.push('a');
    await session.connection.settler.release(await session.take(), { delaySeconds: session.delaySeconds });
    await session.push('b');
    expectSame((await session.take()).attempts, 1, 'the attempts of a job that was never delivered before');
  }),
  attemptCase(
    'a give-back keeps the changes that the worker asks for',
    async (session) => {
      await session.push('a');
      await session.connection.settler.giveBack(await session.take(), {}, { graceRounds: 2 });
      const job = await session.take();
      expectSame(
        [job.header.graceRounds, job.attempts],
        [2, 1],
        'grace rounds and attempts after a give-back that changed the former',
      );
      await session.connection.settler.release(job);
      expectSame((await session.take()).header.graceRounds, 2, 'until it changes them again');
    },
    { freeDeferral: true },
  ),
];

export const attemptCases: readonly ConformanceCase[] = [
  ...returns.map((way) =>
    attemptCase(
      `${way.what} adds ${way.adds[0]} to attempts and ${way.adds[1]} to deferrals`,
      (session) => countsRounds(session, way),
      way.needs,
    ),
  ),
  ...returns.map((way) =>
    attemptCase(
      `${way.what} keeps the job and changes the receipt`,
      (session) => keepsTheJob(session, way),
      way.needs,
    ),
  ),
  ...single,
];
