import assert from 'node:assert/strict';
import { InvalidQueueArgumentException } from '../../contract/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import { LONG_LEASE_SECONDS, LongLeaseNote, Note, SHORT_LEASE_SECONDS, ShortLeaseNote } from './jobs.js';
import { at, jobsOf, textOf } from './session.js';

const leaseCase = concern('leases', { extend: true });

const reclaim: readonly ConformanceCase[] = [
  leaseCase('a reserved job is nobody else’s until its lease ends', async (session) => {
    await session.push('a');
    await session.take();
    await session.expectNothing('at once');
    await session.pass(session.leaseSeconds / 3);
    await session.expectNothing('while the lease lasts');
    await session.expireLease();
    expectSame(textOf(await session.take()), 'a', 'the job that comes after its lease ended');
  }),
  leaseCase(
    'a lease lasts to its last second',
    async (session) => {
      await session.push('a');
      const end = session.now + session.leaseSeconds;
      await session.take();
      await session.pass(session.leaseSeconds - 1);
      if (!(await session.expectNothingBefore(end, 'a second before its end'))) return;
      await session.pass(1 + session.slackSeconds);
      expectSame(textOf(await session.take()), 'a', 'the job that comes after its lease ended');
    },
    { facilities: ['clock'] },
  ),
  leaseCase(
    'a job may be lost and reclaimed again and again',
    async (session) => {
      await session.push('a');
      for (const attempt of [1, 2, 3]) {
        expectSame((await session.take()).attempts, attempt, 'each lost lease is an attempt');
        await session.expireLease();
      }
    },
    { countsCrashes: true },
  ),
  leaseCase('of many leases that end together none is lost', async (session) => {
    const count = 230;
    await session.api.pushMany(
      Array.from({ length: count }, (_, index) => ({ job: new Note(String(index)), queue: session.queue })),
    );
    await session.gather(count);
    await session.expireLease();
    const again = await session.takeMany(count);
    expectSame(new Set(again.map(textOf)).size, count, 'how many of the jobs with a lost lease came again');
    await session.expectNothing('each came once');
  }),
  leaseCase('a lease on one queue is not reclaimed by looking at another', async (session) => {
    const other = session.anotherQueue();
    await session.push('there', { queue: other });
    await session.take(other);
    await session.expireLease();
    await session.expectNothing('the queue is empty');
    expectSame((await session.take(other)).queue, other, 'the queue of the job whose lease ended');
  }),
  leaseCase(
    'another process reclaims a lost lease',
    async (session) => {
      const other = await session.second();
      await session.push('a');
      await session.take();
      expectSame(
        await other.reserve([session.queue], 1),
        [],
        'what another process gets while the lease lasts',
      );
      await session.expireLease();
      const [job] = jobsOf(await session.rest(1, other));
      expectSame(job?.attempts, 2, 'attempts of the job that another process reclaimed');
    },
    { facilities: ['second'], countsCrashes: true },
  ),
];

const lengths: readonly ConformanceCase[] = [
  leaseCase('a delivery says how long its lease is', async (session) => {
    await session.push('plain');
    expectSame(
      (await session.take()).leaseSeconds,
      session.leaseSeconds,
      'the lease of a job that sets none is the connection’s',
    );
    await session.push(new ShortLeaseNote('short'));
    expectSame((await session.take()).leaseSeconds, SHORT_LEASE_SECONDS, 'the lease of a job is its own');
  }),
  leaseCase('a job’s own shorter lease ends sooner', async (session) => {
    await session.push(new ShortLeaseNote('short'));
    await session.push('plain');
    await session.takeMany(2);
    await session.pass(SHORT_LEASE_SECONDS + session.slackSeconds);
    expectSame(textOf(await session.take()), 'short', 'the job with the shorter lease comes first');
    await session.expectNothing('the connection’s lease goes on');
  }),
  leaseCase(
    'a job’s own longer lease ends later',
    async (session) => {
      await session.push(new LongLeaseNote('long'));
      await session.push('plain');
      await session.takeMany(2);
      await session.expireLease();
      expectSame(textOf(await session.take()), 'plain', 'the job with the connection’s lease comes first');
      await session.expectNothing('the longer lease goes on');
      await session.pass(LONG_LEASE_SECONDS);
      const found = (await session.takeMany(2)).map(textOf);
      assert.ok(found.includes('long'), 'the job with the longer lease comes when that is over');
    },
    { facilities: ['clock'] },
  ),
  leaseCase('a job keeps its own lease length through a release', async (session) => {
    await session.push(new ShortLeaseNote('short'));
    await session.connection.settler.release(await session.take());
    expectSame(
      (await session.take()).leaseSeconds,
      SHORT_LEASE_SECONDS,
      'the lease of a job is its own after a release too',
    );
  }),
  leaseCase('each delivery has a lease of its own', async (session) => {
    await session.push('a');
    const first = await session.take();
    await session.pass(session.leaseSeconds / 2);
    await session.connection.settler.release(first);
    await session.take();
    await session.pass(session.leaseSeconds / 2 + session.slackSeconds);
    await session.expectNothing('the second delivery’s lease began later');
  }),
];

const extension: readonly ConformanceCase[] = [
  leaseCase('an extension lengthens a lease, counted from now', async (session) => {
    await session.push('a');
    const job = await session.take();
    await session.pass(session.leaseSeconds / 2);
    await session.connection.settler.extend(job, { seconds: session.leaseSeconds });
    await session.pass(session.leaseSeconds / 2 + session.slackSeconds);
    await session.expectNothing('the first end has passed, the new one has not');
    await session.pass(session.leaseSeconds / 2);
    expectSame(textOf(await session.take()), 'a', 'the job that comes after the extended lease');
  }),
  leaseCase('an extension shortens a lease too', async (session) => {
    await session.push('a');
    const job = await session.take();
    await session.connection.settler.extend(job, { seconds: 1 });
    await session.pass(1 + session.slackSeconds);
    expectSame(textOf(await session.take()), 'a', 'the job that comes after the shortened lease');
  }),
  leaseCase('the receipt holds after an extension', async (session) => {
    await session.push('a');
    const job = await session.take();
    await session.connection.settler.extend(job, { seconds: session.leaseSeconds * 2 });
    await session.expireLease();
    await session.connection.settler.ack(job);
    await session.expectCounts({ ready: 0, reserved: 0 });
  }),
  leaseCase('an extension of one lease leaves the others', async (session) => {
    await session.pushAll(['a', 'b']);
    const jobs = await session.takeMany(2);
    await session.connection.settler.extend(at(jobs, 0), { seconds: session.leaseSeconds * 3 });
    await session.expireLease();
    expectSame((await session.take()).id, at(jobs, 1).id, 'the job whose lease was not extended');
    await session.expectNothing('the extended one goes on');
  }),
  leaseCase('an extension that is no positive number of seconds is refused', async (session) => {
    await session.push('a');
    const job = await session.take();
    for (const seconds of [0, -1, Number.NaN, Infinity, 1e300, '5', null]) {
      await assert.rejects(
        () => session.connection.settler.extend(job, { seconds: seconds as number }),
        InvalidQueueArgumentException,
      );
    }
    await session.connection.settler.ack(job);
  }),
];

const without: readonly ConformanceCase[] = [
  concern('leases')(
    'an extension is refused where there is no lease',
    async (session) => {
      await session.push('a');
      const job = await session.take();
      await assert.rejects(
        () => session.connection.settler.extend(job, { seconds: 5 }),
        InvalidQueueArgumentException,
      );
      await session.connection.settler.ack(job);
    },
    { extend: false },
  ),
];

export const leaseCases: readonly ConformanceCase[] = [...reclaim, ...lengths, ...extension, ...without];
