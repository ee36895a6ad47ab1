import assert from 'node:assert/strict';
import type { QueuedJob } from '../../contract/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import { Note } from './jobs.js';
import { rawItem } from './raw-items.js';
import { type Session, textOf } from './session.js';

const uniqueCase = concern('unique', { unique: true });

function pushKey(session: Session, uniqueKey: string, delaySeconds = 0): Promise<string | null> {
  return session.api.push(new Note(uniqueKey), { queue: session.queue, uniqueKey, delaySeconds });
}

/** What frees a key, and what does not. */
const ways: readonly {
  what: string;
  frees: boolean;
  act: (session: Session, job: QueuedJob) => Promise<unknown>;
}[] = [
  { what: 'an ack', frees: true, act: (session, job) => session.connection.settler.ack(job) },
  {
    what: 'a fail',
    frees: true,
    act: (session, job) => session.connection.settler.fail(job, new Error('x')),
  },
  { what: 'a reserve', frees: false, act: async () => undefined },
  { what: 'a release', frees: false, act: (session, job) => session.connection.settler.release(job) },
  {
    what: 'a release with a delay',
    frees: false,
    act: (session, job) => session.connection.settler.release(job, { delaySeconds: session.delaySeconds }),
  },
  { what: 'a deferral', frees: false, act: (session, job) => session.connection.settler.defer(job) },
  { what: 'the end of a lease', frees: false, act: (session) => session.expireLease() },
];

export const uniqueCases: readonly ConformanceCase[] = [
  uniqueCase('a duplicate of a waiting job is refused with null', async (session) => {
    expectSame(typeof (await pushKey(session, 'k')), 'string', 'the kind of id that the first push answers');
    expectSame(await pushKey(session, 'k'), null, 'the answer to a duplicate');
    await session.expectCounts({ ready: 1 });
  }),
  uniqueCase('a duplicate of a delayed job is refused with null', async (session) => {
    await pushKey(session, 'k', session.delaySeconds);
    expectSame(await pushKey(session, 'k'), null, 'the answer to a duplicate of a delayed job');
  }),
  ...ways.map(({ what, frees, act }) =>
    uniqueCase(`${what} ${frees ? 'frees the key' : 'keeps the key held'}`, async (session) => {
      await pushKey(session, 'k');
      await act(session, await session.take());
      expectSame((await pushKey(session, 'k')) !== null, frees, 'the key is free afterwards');
    }),
  ),
  uniqueCase(
    'a clear frees keys',
    async (session) => {
      await pushKey(session, 'ready');
      await pushKey(session, 'delayed', session.delaySeconds);
      expectSame(await session.clear(), 2, 'how many jobs clear() says that it removed');
      assert.notEqual(await pushKey(session, 'ready'), null);
      assert.notEqual(await pushKey(session, 'delayed'), null);
    },
    { clear: true },
  ),
  uniqueCase('keys of two queues are apart, and so are different keys', async (session) => {
    await pushKey(session, 'k');
    const queue = session.anotherQueue();
    assert.notEqual(await session.api.push(new Note('k'), { queue, uniqueKey: 'k' }), null);
    assert.notEqual(await pushKey(session, 'K'), null);
    assert.notEqual(await pushKey(session, 'k '), null);
    assert.notEqual(await pushKey(session, '\u00e9'), null);
    assert.notEqual(await pushKey(session, 'e\u0301'), null, 'keys are compared as they are');
  }),
  uniqueCase('jobs without a key are never duplicates', async (session) => {
    await pushKey(session, 'k');
    await session.pushAll(['k', 'k']);
    await session.expectCounts({ ready: 3 });
  }),
  uniqueCase('pushMany() answers null for duplicates only', async (session) => {
    const entry = (uniqueKey: string) => ({ job: new Note('x'), queue: session.queue, uniqueKey });
    await pushKey(session, 'held');
    const ids = await session.api.pushMany([entry('a'), entry('held'), entry('a'), entry('b')]);
    expectSame(
      ids.map((id) => id === null),
      [false, true, true, false],
      'which entries are answered null',
    );
  }),
  uniqueCase('of pushes at the same time one is stored', async (session) => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => pushKey(session, 'k')));
    expectSame(ids.filter((id) => id !== null).length, 1, 'how many of the pushes were stored');
    await session.expectCounts({ ready: 1 });
  }),
  uniqueCase(
    'a job that does not hold its key frees none',
    async (session) => {
      await pushKey(session, 'k');
      const first = await session.take();
      await session.connection.settler.ack(first);
      // Some stores give the key to whatever they hold, others only to what was pushed.
      await session.storeRaw(rawItem({ uniqueKey: first.header.uniqueKey }));
      const isHeldByPush = (await pushKey(session, 'k')) !== null;
      const raw = await session.take();
      expectSame(textOf(raw), 'raw', 'the older job of the two');
      await session.connection.settler.ack(raw);
      expectSame(
        (await pushKey(session, 'k')) === null,
        isHeldByPush,
        'the key is held by the job that was pushed',
      );
    },
    { facilities: ['storeRaw'], keepsOrder: true },
  ),
  uniqueCase('the longest and the strangest keys are keys', async (session) => {
    for (const key of ['k'.repeat(255), "' or 1=1 --", '\0', '\u{1f600}', '?', ':name', '$1']) {
      assert.notEqual(await pushKey(session, key), null);
      expectSame(await pushKey(session, key), null, 'the answer to a duplicate of a strange key');
    }
  }),
];
