import assert from 'node:assert/strict';
import { QueueNotClearableException } from '../../contract/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import { Note } from './jobs.js';
import { at, jobsOf, textOf } from './session.js';

const clearCase = concern('clear', { clear: true });

const removes: readonly ConformanceCase[] = [
  clearCase('ready and delayed jobs are removed and counted', async (session) => {
    await session.pushAll(['a', 'b', 'c']);
    await session.pushAll(['x', 'y'], { delaySeconds: session.delaySeconds });
    expectSame(await session.clear(), 5, 'how many jobs clear() says that it removed');
    await session.expectCounts({ ready: 0, delayed: 0 });
    await session.pass(session.delaySeconds + session.slackSeconds);
    await session.expectNothing('nothing comes back');
  }),
  clearCase('a delayed job that is due is removed too', async (session) => {
    await session.push('a', { delaySeconds: session.delaySeconds });
    await session.pass(session.delaySeconds + session.slackSeconds);
    expectSame(await session.clear(), 1, 'how many jobs clear() says that it removed');
    await session.expectNothing('it is gone');
  }),
  clearCase('a job that was released is removed too', async (session) => {
    await session.push('a');
    await session.connection.settler.release(await session.take());
    expectSame(await session.clear(), 1, 'how many jobs clear() says that it removed');
    await session.expectNothing('it is gone');
  }),
  clearCase('an empty queue and one that never existed give 0', async (session) => {
    expectSame(await session.clear(), 0, 'how many jobs clear() finds on a queue that never was');
    await session.push('a');
    expectSame(await session.clear(), 1, 'how many jobs clear() says that it removed');
    expectSame(await session.clear(), 0, 'a second time there is nothing left');
  }),
  clearCase('a large queue is cleared whole', async (session) => {
    const entries = Array.from({ length: 2_500 }, (_, index) => ({
      job: new Note(String(index)),
      queue: session.queue,
      delaySeconds: index % 2 === 0 ? 0 : session.delaySeconds,
    }));
    await session.api.pushMany(entries);
    expectSame(await session.clear(), 2_500, 'how many jobs clear() says that it removed');
    await session.expectCounts({ ready: 0, delayed: 0 });
  }),
];

const leaves: readonly ConformanceCase[] = [
  clearCase('other queues are left alone', async (session) => {
    const others = [session.anotherQueue(), `${session.queue}-more`, `${session.queue}x`];
    for (const queue of others) await session.push('kept', { queue });
    await session.push('a');
    expectSame(await session.clear(), 1, 'how many jobs clear() says that it removed');
    for (const queue of others)
      expectSame(textOf(await session.take(queue)), 'kept', 'a job on another queue is left');
  }),
  clearCase('a reserved job is left, and its settlement holds', async (session) => {
    await session.push('held');
    const held = await session.take();
    await session.pushAll(['a', 'b']);
    expectSame(await session.clear(), 2, 'clear() counts waiting jobs and no reservation');
    await session.connection.settler.release(held);
    const again = await session.take();
    expectSame(
      [textOf(again), again.attempts],
      ['held', 2],
      'text and attempts of the job that was held during the clear',
    );
    await session.connection.settler.ack(again);
  }),
  clearCase(
    'a reservation is left even after its lease ended, and its settlement holds',
    async (session) => {
      await session.push('held');
      const held = await session.take();
      await session.expireLease();
      expectSame(await session.clear(), 0, 'clear() leaves an expired reservation and does not count it');
      await session.connection.settler.ack(held);
      await session.expectCounts({ ready: 0 });
    },
    { extend: true },
  ),
  clearCase(
    'a reservation that expired is delivered again after a clear',
    async (session) => {
      await session.push('held');
      await session.take();
      await session.expireLease();
      expectSame(await session.clear(), 0, 'clear() leaves an expired reservation and does not count it');
      expectSame(textOf(await session.take()), 'held', 'the job whose lease ended is delivered again');
    },
    { extend: true },
  ),
  clearCase('a push after a clear is stored', async (session) => {
    await session.push('a');
    await session.clear();
    await session.push('b');
    expectSame(textOf(await session.take()), 'b', 'the job that was pushed after the clear');
  }),
  clearCase('a clear among reserves: each job is either removed or delivered', async (session) => {
    await session.api.pushMany(
      Array.from({ length: 40 }, (_, index) => ({ job: new Note(String(index)), queue: session.queue })),
    );
    const [first, removed, second] = await Promise.all([
      session.reserve(10),
      session.clear(),
      session.reserve(10),
    ]);
    const delivered = [...jobsOf(first), ...jobsOf(second)];
    expectSame(
      removed + delivered.length,
      40,
      'jobs that were removed and jobs that were delivered together',
    );
    for (const job of delivered) await session.connection.settler.ack(job);
    await session.expectCounts({ ready: 0, delayed: 0 });
  }),
  clearCase(
    'what another process holds is left',
    async (session) => {
      const other = await session.second();
      await session.pushAll(['held', 'a']);
      const held = at(jobsOf(await session.rest(1, other)), 0);
      expectSame(await session.clear(), 1, 'clear() leaves what another process holds');
      await other.settler.ack(held);
    },
    { facilities: ['second'] },
  ),
];

const without: readonly ConformanceCase[] = [
  concern('clear')(
    'is refused where the backend cannot',
    async (session) => {
      await session.push('kept');
      await assert.rejects(async () => session.clear(), QueueNotClearableException);
      expectSame(textOf(await session.take()), 'kept', 'a refused clear removes nothing');
    },
    { clear: false },
  ),
];

export const clearCases: readonly ConformanceCase[] = [...removes, ...leaves, ...without];
