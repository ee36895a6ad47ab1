import assert from 'node:assert/strict';
import { concern, type ConformanceCase } from './conformance-case.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectSame } from './expect-same.js';
import { at, type Session } from './session.js';

const countCase = concern('counts', { exactCounts: true });

const states: readonly ConformanceCase[] = [
  countCase('a queue that never existed counts nothing', async (session) => {
    const { ready, delayed, reserved, oldestReadySeconds, paused } = await session.counts();
    expectSame(ready, 0, 'ready jobs of a queue that never was');
    assert.ok(delayed === 0 || delayed === null, 'delayed is 0 or not known');
    assert.ok(reserved === 0 || reserved === null, 'reserved is 0 or not known');
    expectSame(oldestReadySeconds, null, 'the age of nothing');
    expectSame(paused, false, 'a queue that never was is paused');
    expectSame(await session.connection.size(session.queue), 0, 'size() of a queue that never was');
  }),
  countCase('ready jobs are counted', async (session) => {
    await session.pushAll(['a', 'b', 'c']);
    await session.expectCounts({ ready: 3, delayed: 0, reserved: 0 });
  }),
  countCase('delayed jobs are counted apart, and by size() too', async (session) => {
    await session.push('now');
    await session.pushAll(['x', 'y'], { delaySeconds: session.delaySeconds });
    await session.expectCounts({ ready: 1, delayed: 2, reserved: 0 });
    expectSame(await session.connection.size(session.queue), 3, 'size() counts ready and delayed jobs');
  }),
  countCase('a delayed job that is due counts as ready, before anyone looked for it', async (session) => {
    await session.push('a', { delaySeconds: session.delaySeconds });
    await session.pass(session.delaySeconds + session.slackSeconds);
    await session.expectCounts({ ready: 1, delayed: 0 });
  }),
  countCase('reserved jobs are counted apart, and not by size()', async (session) => {
    await session.pushAll(['a', 'b', 'c']);
    await session.takeMany(2);
    await session.expectCounts({ ready: 1, delayed: 0, reserved: 2 });
    expectSame(await session.connection.size(session.queue), 1, 'size() counts no reserved job');
  }),
  countCase(
    'a reservation that expired counts as ready, before anyone reclaimed it',
    async (session) => {
      await session.pushAll(['a', 'b']);
      await session.take();
      await session.expireLease();
      await session.expectCounts({ ready: 2, reserved: 0 });
      expectSame(await session.connection.size(session.queue), 2, 'size() counts a job whose lease ended');
    },
    { extend: true },
  ),
  countCase('counting changes nothing', async (session) => {
    await session.pushAll(['a', 'b']);
    await session.take();
    await session.push('c', { delaySeconds: session.delaySeconds });
    const first = await session.counts();
    for (let round = 0; round < 5; round += 1) {
      const { oldestReadySeconds: _age, ...counts } = await session.counts();
      const { oldestReadySeconds: _first, ...expected } = first;
      expectSame(counts, expected, 'counts after counting');
    }
    expectSame((await session.take()).attempts, 1, 'attempts after counting only');
  }),
  countCase('each queue counts its own', async (session) => {
    const other = session.anotherQueue();
    await session.pushAll(['a', 'b'], { queue: other });
    await session.push('c', { queue: other, delaySeconds: session.delaySeconds });
    await session.take(other);
    await session.expectCounts({ ready: 0, delayed: 0, reserved: 0 });
    await session.expectCounts({ ready: 1, delayed: 1, reserved: 1 }, 'the other queue', other);
  }),
  countCase('counts follow a job through its life', async (session) => {
    const { settler } = session.connection;
    await session.push('a');
    await session.expectCounts({ ready: 1, delayed: 0, reserved: 0 }, 'pushed');
    const first = await session.take();
    await session.expectCounts({ ready: 0, delayed: 0, reserved: 1 }, 'reserved');
    await settler.release(first, { delaySeconds: session.delaySeconds });
    await session.expectCounts({ ready: 0, delayed: 1, reserved: 0 }, 'released with a delay');
    await session.pass(session.delaySeconds + session.slackSeconds);
    await session.expectCounts({ ready: 1, delayed: 0, reserved: 0 }, 'due');
    await settler.ack(await session.take());
    await session.expectCounts({ ready: 0, delayed: 0, reserved: 0 }, 'acknowledged');
  }),
  countCase('failed jobs are counted as far as the backend keeps them', async (session) => {
    await session.push('a');
    await session.connection.settler.fail(await session.take(), new Error('given up on'));
    const { ready, reserved, failed } = await session.counts();
    expectSame(ready, 0, 'ready jobs after a fail');
    expectSame(reserved, 0, 'reserved jobs after a fail');
    if (session.backend.capabilities.failedJobs === 'no')
      assert.ok(failed === 0 || failed === null, 'failed is 0 or not known where none are kept');
    if (session.backend.capabilities.failedJobs === 'yes') expectSame(failed, 1, 'failed jobs that are kept');
  }),
  countCase(
    'another process counts the same',
    async (session) => {
      const other = await session.second();
      await session.pushAll(['a', 'b']);
      await session.push('c', { delaySeconds: session.delaySeconds });
      await session.take();
      const { oldestReadySeconds: _here, ...here } = await session.counts();
      const { oldestReadySeconds: _there, ...there } = await other.counts(session.queue);
      expectSame(there, here, 'the counts of another process are those of this one');
    },
    { facilities: ['second'] },
  ),
];

async function ageOf(counts: Promise<{ readonly oldestReadySeconds: number | null }>): Promise<number> {
  const { oldestReadySeconds } = await counts;
  assert.ok(oldestReadySeconds !== null, 'expected an age, came null');
  return oldestReadySeconds;
}

const ages: readonly ConformanceCase[] = [
  countCase(
    'the age of the oldest ready job grows with time',
    async (session) => {
      await session.push('old');
      assert.ok(
        (await ageOf(session.counts())) < session.delaySeconds,
        'the age of a job that was just pushed is less than the time that passes next',
      );
      await session.pass(session.delaySeconds);
      await session.push('young');
      assert.ok((await ageOf(session.counts())) >= session.delaySeconds - 0.01, 'the oldest counts');
      await session.connection.settler.ack(await session.take());
      assert.ok((await ageOf(session.counts())) < session.delaySeconds, 'the old one is gone');
    },
    { facilities: ['clock'], keepsOrder: true },
  ),
  countCase('there is no age without a ready job', async (session) => {
    await session.push('delayed', { delaySeconds: session.delaySeconds });
    await session.push('held');
    await session.take();
    await session.expectCounts({ ready: 0, oldestReadySeconds: null });
  }),
  countCase(
    'a delay does not count as waiting',
    async (session) => {
      await session.push('a', { delaySeconds: session.delaySeconds });
      await session.pass(session.delaySeconds + session.slackSeconds);
      const age = await ageOf(session.counts());
      assert.ok(age >= 0 && age < session.delaySeconds, `it waits since it is due, came ${age} s`);
    },
    { facilities: ['clock'] },
  ),
  countCase(
    'the age is that of the job waiting longest, also behind delayed and lost ones',
    async (session) => {
      await session.push('held');
      await session.take();
      await session.push('waiting');
      await session.push('delayed', { delaySeconds: session.delaySeconds });
      await session.pass(session.delaySeconds + session.slackSeconds);
      const age = await ageOf(session.counts());
      assert.ok(age >= session.delaySeconds, `expected the waiting job’s age, came ${age} s`);
    },
    { facilities: ['clock'] },
  ),
];

const listing: readonly ConformanceCase[] = [
  concern('queues', { listQueues: true })('names the queues that hold jobs, sorted', async (session) => {
    const stem = session.queue;
    const names = ['c', 'a', 'b'].map((letter) => `${stem}-${letter}`);
    for (const queue of names) await session.push('x', { queue });
    const listed = (await session.connection.queues()).filter((name) => name.startsWith(stem));
    expectSame(listed, names.toSorted(), 'names of the queues that hold jobs, sorted');
  }),
  concern('queues', { listQueues: true })(
    'names a queue whose jobs are delayed or reserved',
    async (session) => {
      const [delayed, held] = [session.anotherQueue(), session.anotherQueue()];
      await session.push('x', { queue: delayed, delaySeconds: session.delaySeconds });
      await session.push('x', { queue: held });
      await session.take(held);
      const listed = await session.connection.queues();
      assert.ok(listed.includes(delayed), 'delayed');
      assert.ok(listed.includes(held), 'reserved');
      assert.ok(!listed.includes(session.queue), 'never used');
    },
  ),
  concern('queues', { listQueues: true })('forgets a queue when its last job is gone', async (session) => {
    await session.pushAll(['a', 'b']);
    const jobs = await session.takeMany(2);
    await session.connection.settler.ack(at(jobs, 0));
    assert.ok(
      (await session.connection.queues()).includes(session.queue),
      'a queue with a reserved job is named',
    );
    await session.connection.settler.ack(at(jobs, 1));
    assert.ok(
      !(await session.connection.queues()).includes(session.queue),
      'a queue without a job is not named',
    );
  }),
  concern('queues', { listQueues: true })(
    'names a queue that another process filled',
    async (session) => {
      const other = await session.second();
      await session.push('a');
      assert.ok(
        (await other.queues()).includes(session.queue),
        'a queue that another process filled is named',
      );
    },
    { facilities: ['second'] },
  ),
];

/** An estimate may lag; it is waited for as long as for a job that must be there. */
async function comesTo(session: Session, ready: number): Promise<void> {
  const deadline = performance.now() + session.patienceMs;
  for (;;) {
    const counts = await session.counts();
    if (counts.ready === ready) return;
    assert.ok(performance.now() < deadline, `expected ${ready} ready jobs in the end, came ${counts.ready}`);
    await sleep(10);
  }
}

const estimates: readonly ConformanceCase[] = [
  concern('counts', { exactCounts: false })('an estimate comes right in the end', async (session) => {
    await comesTo(session, 0);
    await session.pushAll(['a', 'b', 'c']);
    await comesTo(session, 3);
    for (const job of await session.takeMany(3)) await session.connection.settler.ack(job);
    await comesTo(session, 0);
  }),
  concern('counts', { exactCounts: false })(
    'what is not known is null, the rest are counts',
    async (session) => {
      await session.pushAll(['a', 'b']);
      await session.take();
      const { ready, delayed, reserved, failed, oldestReadySeconds, paused } = await session.counts();
      for (const count of [ready, delayed ?? 0, reserved ?? 0, failed ?? 0]) {
        assert.ok(Number.isSafeInteger(count) && count >= 0, `expected a count, came ${count}`);
      }
      assert.ok(oldestReadySeconds === null || oldestReadySeconds >= 0, 'an age is null or not negative');
      expectSame(paused, false, 'an untouched queue is paused');
      const size = await session.connection.size(session.queue);
      assert.ok(Number.isSafeInteger(size) && size >= 0, `expected a size, came ${size}`);
    },
  ),
];

export const countCases: readonly ConformanceCase[] = [...states, ...ages, ...estimates, ...listing];
