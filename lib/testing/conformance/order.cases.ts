import assert from 'node:assert/strict';
import { InvalidQueueArgumentException } from '../../contract/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import { at, jobsOf, textOf, textsOf } from './session.js';

const orderCase = concern('order');
const LETTERS = [...'abcdefghijklmnopqrst'];

const withinOneQueue: readonly ConformanceCase[] = [
  orderCase('jobs pushed without a delay come oldest first', async (session) => {
    await session.pushAll(LETTERS);
    session.expectTexts((await session.takeMany(LETTERS.length)).map(textOf), LETTERS);
  }),
  orderCase('a batch is in order too', async (session) => {
    await session.pushAll(LETTERS);
    const texts = [...textsOf(await session.gather(7)), ...textsOf(await session.gather(13))];
    session.expectTexts(texts, LETTERS);
  }),
  orderCase(
    'a job released at once comes before every job not yet delivered',
    async (session) => {
      await session.pushAll(['a', 'b', 'c', 'd']);
      const held = await session.takeMany(2);
      await session.connection.settler.release(at(held, 1));
      await session.connection.settler.release(at(held, 0));
      const again = await session.takeMany(2);
      expectSame(new Set(again.map(textOf)), new Set(held.map(textOf)), 'released jobs come first');
      const others = ['a', 'b', 'c', 'd'].filter((text) => !held.some((job) => textOf(job) === text));
      session.expectTexts((await session.takeMany(2)).map(textOf), others);
    },
    { keepsPlace: true },
  ),
  orderCase(
    'a job given back comes before every job not yet delivered',
    async (session) => {
      await session.pushAll(['a', 'b']);
      const first = await session.take();
      await session.connection.settler.giveBack(first);
      expectSame((await session.take()).id, first.id, 'the job that was given back comes first');
    },
    { keepsPlace: true, freeDeferral: true },
  ),
  orderCase('a delayed job at the front holds nothing back', async (session) => {
    await session.push('later', { delaySeconds: session.delaySeconds });
    await session.pushAll(['a', 'b']);
    session.expectTexts((await session.takeMany(2)).map(textOf), ['a', 'b']);
  }),
  orderCase('a reserved job at the front holds nothing back', async (session) => {
    await session.push('held');
    await session.take();
    await session.pushAll(['a', 'b']);
    session.expectTexts((await session.takeMany(2)).map(textOf), ['a', 'b']);
  }),
];

const acrossQueues: readonly ConformanceCase[] = [
  orderCase('the order of the list goes before the order of pushes', async (session) => {
    const other = session.anotherQueue();
    // Both ways round, so that an order of names does not pass for an order of the list.
    for (const [first, second] of [
      [session.queue, other],
      [other, session.queue],
    ] as const) {
      await session.push('older', { queue: second });
      await session.push('newer', { queue: first });
      expectSame(
        textsOf(await session.gather(1, [first, second])),
        ['newer'],
        'the queue that is first in the list is served first',
      );
      expectSame(
        textsOf(await session.gather(1, [first, second])),
        ['older'],
        'the other queue is served next',
      );
    }
  }),
  orderCase(
    'the order of the list goes before priority',
    async (session) => {
      const other = session.anotherQueue();
      await session.push('urgent', { queue: other, priority: 100 });
      await session.push('idle', { priority: -100 });
      const jobs = await session.gather(2, [session.queue, other]);
      expectSame(
        textsOf(jobs),
        ['idle', 'urgent'],
        'the queue that is first in the list is served first, whatever the priority',
      );
    },
    { priorityLevels: ['full', 'levels'] },
  ),
  orderCase('a batch fills up from the queues in list order', async (session) => {
    const [second, third] = [session.anotherQueue(), session.anotherQueue()];
    await session.pushAll(['3a'], { queue: third });
    await session.pushAll(['2a', '2b'], { queue: second });
    await session.pushAll(['1a', '1b']);
    const jobs = jobsOf(await session.gather(4, [session.queue, second, third]));
    const queues = [session.queue, session.queue, second, second];
    const places = jobs.map((job) => `${textOf(job)} of ${job.queue}`);
    session.expectTexts(
      places,
      ['1a', '1b', '2a', '2b'].map((text, index) => `${text} of ${queues[index]}`),
    );
  }),
  orderCase('nothing is reserved from a queue that was not asked for', async (session) => {
    const other = session.anotherQueue();
    await session.push('there', { queue: other });
    await session.expectNothing('the queue is empty');
    await session.expectCounts({ ready: 1 }, 'the other queue was left alone', other);
    expectSame((await session.take(other)).attempts, 1, 'attempts of a job that nobody asked for');
  }),
  orderCase('a queue that never existed gives nothing', async (session) => {
    await session.expectNothing('it is unknown', session.anotherQueue());
    expectSame(
      await session.connection.reserve([session.anotherQueue(), session.anotherQueue()], 3),
      [],
      'what queues that never were give',
    );
  }),
];

const limits: readonly ConformanceCase[] = [
  ...[1, 2, 5].map((limit) =>
    orderCase(`reserve() gives at most ${limit} when asked for ${limit}`, async (session) => {
      await session.pushAll(LETTERS.slice(0, 6));
      const first = textsOf(await session.rest(limit));
      if (session.backend.capabilities.keepsOrder)
        expectSame(first, LETTERS.slice(0, limit), 'the oldest jobs come first');
      assert.ok(
        first.length >= 1 && first.length <= limit,
        `expected 1 to ${limit} jobs, came ${first.length}`,
      );
      const others = textsOf(await session.gather(6 - first.length));
      session.expectTexts([...first, ...others], LETTERS.slice(0, 6), 'the others were left');
    }),
  ),
  orderCase('the limit holds over several queues together', async (session) => {
    const other = session.anotherQueue();
    await session.pushAll(['a', 'b']);
    await session.pushAll(['c', 'd'], { queue: other });
    const queues = [session.queue, other];
    const first = textsOf(await session.connection.reserve(queues, 3));
    assert.ok(first.length <= 3, `expected at most 3 jobs, came ${first.length}`);
    const texts = [...first, ...textsOf(await session.gather(4 - first.length, queues))];
    session.expectTexts(texts, ['a', 'b', 'c', 'd'], 'one is left');
  }),
  orderCase('a limit that is no count is refused and nothing is reserved', async (session) => {
    await session.push('untouched');
    for (const limit of [0, -1, 1.5, Number.NaN, Infinity, '1', null]) {
      await assert.rejects(() => session.reserve(limit as number), InvalidQueueArgumentException);
    }
    expectSame((await session.take()).attempts, 1, 'attempts after refused reserves');
  }),
];

export const orderCases: readonly ConformanceCase[] = [...withinOneQueue, ...acrossQueues, ...limits];
