import assert from 'node:assert/strict';
import { type QueuedJob, type SettleOperation, StaleJobHandleException } from '../../contract/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import type { Needs } from './needs.js';
import type { Session } from './session.js';

const staleCase = concern('stale', { fencedSettlement: true });

type Act = (session: Session, job: QueuedJob) => Promise<void>;

const operations: readonly SettleOperation[] = ['ack', 'release', 'defer', 'fail', 'extend'];

const acts: { readonly [Operation in SettleOperation]: Act } = {
  ack: (session, job) => session.connection.settler.ack(job),
  release: (session, job) => session.connection.settler.release(job),
  defer: (session, job) => session.connection.settler.defer(job),
  fail: (session, job) => session.connection.settler.fail(job, new Error('given up on')),
  extend: (session, job) => session.connection.settler.extend(job, { seconds: session.leaseSeconds }),
};

/** How the delivery ended, and whether the job is there again. */
const endings: readonly { what: string; needs: Needs; again: boolean; act: Act }[] = [
  { what: 'an ack', needs: {}, again: false, act: acts.ack },
  { what: 'a fail', needs: {}, again: false, act: acts.fail },
  { what: 'a release', needs: {}, again: true, act: acts.release },
  { what: 'a defer', needs: {}, again: true, act: acts.defer },
  {
    what: 'a give-back',
    needs: { freeDeferral: true },
    again: true,
    act: (session, job) => session.connection.settler.giveBack(job),
  },
  { what: 'a reclaim', needs: { extend: true }, again: true, act: (session) => session.expireLease() },
];

function isStale(job: QueuedJob, operation: SettleOperation): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof StaleJobHandleException, `expected ${operation}() to be stale, came ${error}`);
    expectSame(error.operation, operation, 'the operation that the error names');
    expectSame(error.queue, job.queue, 'the queue that the error names');
    expectSame(error.jobId, job.id, 'the id that the error names');
    return true;
  };
}

function afterEnding(ending: (typeof endings)[number], operation: SettleOperation): ConformanceCase {
  return staleCase(
    `${operation} after ${ending.what} is stale and changes nothing`,
    async (session) => {
      await session.push('a');
      const old = await session.take();
      await ending.act(session, old);
      const current = ending.again ? await session.take() : null;
      const before = await session.counts();
      await assert.rejects(() => acts[operation](session, old), isStale(old, operation));
      const { ready, delayed, reserved, failed } = await session.counts();
      expectSame(
        { ready, delayed, reserved, failed },
        { ready: before.ready, delayed: before.delayed, reserved: before.reserved, failed: before.failed },
        'counts after a stale settlement',
      );
      if (current === null) return session.expectNothing('nothing came back');
      await session.expectNothing('the current delivery is nobody else’s');
      await session.connection.settler.ack(current);
      await session.expectCounts({ ready: 0, reserved: 0 }, 'the current delivery was still the current one');
    },
    operation === 'extend' ? { ...ending.needs, extend: true } : ending.needs,
  );
}

/** The job waits and nobody holds it: a stale settlement must not reach it there either. */
function whileItWaits(operation: SettleOperation): ConformanceCase {
  return staleCase(
    `${operation} does not reach a job that waits again`,
    async (session) => {
      await session.push('a');
      const old = await session.take();
      await session.connection.settler.release(old, { delaySeconds: session.delaySeconds });
      await assert.rejects(() => acts[operation](session, old), isStale(old, operation));
      await session.expectNothing('its delay goes on');
      await session.pass(session.delaySeconds + session.slackSeconds);
      expectSame((await session.take()).attempts, 2, 'attempts after its delay');
    },
    operation === 'extend' ? { extend: true } : {},
  );
}

/** A settlement by the delivery whose lease ended holds as long as nobody reclaimed it. */
function beforeReclaim(operation: SettleOperation): ConformanceCase {
  return staleCase(
    `${operation} after the lease ended, but before anyone reclaimed it, holds`,
    async (session) => {
      await session.push('a');
      const job = await session.take();
      await session.expireLease();
      await session.expectCounts({ ready: 1, reserved: 0 }, 'by time the job is ready');
      await acts[operation](session, job);
      if (operation === 'release') expectSame((await session.take()).attempts, 2, 'attempts after a release');
      else if (operation === 'defer')
        expectSame((await session.take()).id, job.id, 'the deferred job is there at once');
      else await session.expectNothing('settled, or leased again');
    },
    { extend: true, exactCounts: true },
  );
}

const others: readonly ConformanceCase[] = [
  staleCase(
    'an ack that is stale stores no follow-ups',
    async (session) => {
      await session.pushAll(['a', 'follow-up']);
      const job = await session.take();
      const [template] = await session.items(1);
      await session.connection.settler.ack(job);
      const followUp = {
        id: 'f'.repeat(32),
        queue: session.queue,
        header: { ...job.header, serial: 0, attempts: 0 },
        body: String(template?.body),
        delaySeconds: 0,
      };
      await assert.rejects(() => session.connection.settler.ack(job, [followUp]), isStale(job, 'ack'));
      await session.expectNothing('no follow-up was stored');
    },
    { atomicFollowUps: [true, 'same-queue'] },
  ),
  staleCase(
    'a worker that comes back after its lease cannot undo what another did',
    async (session) => {
      const other = await session.second();
      await session.push('a');
      const lost = await session.take();
      await session.expireLease();
      const [current] = await session.rest(1, other);
      assert.ok(current !== undefined && 'handle' in current, 'the reclaiming process gets the job');
      for (const operation of operations) {
        await assert.rejects(() => acts[operation](session, lost), isStale(lost, operation));
      }
      await other.settler.ack(current);
      await session.expectCounts({ ready: 0, reserved: 0 });
    },
    { extend: true, facilities: ['second'] },
  ),
];

export const staleCases: readonly ConformanceCase[] = [
  ...endings.flatMap((ending) => operations.map((operation) => afterEnding(ending, operation))),
  ...operations.map(whileItWaits),
  ...operations.map(beforeReclaim),
  ...others,
];
