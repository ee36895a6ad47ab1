import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import { Note } from './jobs.js';
import { at, textOf, textsOf } from './session.js';

const priorityCase = concern('priority', { priorityLevels: 'full' });

const order: readonly ConformanceCase[] = [
  priorityCase('higher priorities come first', async (session) => {
    for (const priority of [0, -100, 50, 100, -1, 1, 99, -99]) {
      await session.push(String(priority), { priority });
    }
    const jobs = await session.takeMany(8);
    expectSame(
      jobs.map(textOf),
      ['100', '99', '50', '1', '0', '-1', '-99', '-100'],
      'jobs in the order of their priorities',
    );
    expectSame(
      jobs.map((job) => job.priority),
      [100, 99, 50, 1, 0, -1, -99, -100],
      'a delivery says its priority',
    );
  }),
  priorityCase('a batch is in order of priority too', async (session) => {
    for (const priority of [0, 10, -10, 20]) await session.push(String(priority), { priority });
    expectSame(textsOf(await session.gather(3)), ['20', '10', '0'], 'a batch in the order of priorities');
    expectSame(textsOf(await session.gather(1)), ['-10'], 'what the batch left');
  }),
  priorityCase('within one priority the oldest comes first', async (session) => {
    for (const [text, priority] of [
      ['a', 5],
      ['x', 0],
      ['b', 5],
      ['y', 0],
      ['c', 5],
    ] as const) {
      await session.push(text, { priority });
    }
    const texts = (await session.takeMany(5)).map(textOf);
    session.expectTexts(texts.slice(0, 3), ['a', 'b', 'c']);
    session.expectTexts(texts.slice(3), ['x', 'y']);
  }),
  priorityCase('a priority that is left out is 0', async (session) => {
    await session.push('low', { priority: -1 });
    await session.push('plain');
    await session.push('high', { priority: 1 });
    expectSame(
      (await session.takeMany(3)).map(textOf),
      ['high', 'plain', 'low'],
      'a priority that is left out is between −1 and 1',
    );
  }),
];

const kept: readonly ConformanceCase[] = [
  priorityCase('a released job keeps its priority', async (session) => {
    await session.push('low', { priority: -5 });
    await session.connection.settler.release(await session.take());
    await session.push('plain');
    const jobs = await session.takeMany(2);
    expectSame(jobs.map(textOf), ['plain', 'low'], 'a released job comes at its own priority');
    expectSame(at(jobs, 1).priority, -5, 'the priority of a released job');
  }),
  priorityCase(
    'a reclaimed job keeps its priority',
    async (session) => {
      await session.push('high', { priority: 5 });
      await session.take();
      await session.push('plain');
      await session.expireLease();
      expectSame(
        (await session.takeMany(2)).map(textOf),
        ['high', 'plain'],
        'a reclaimed job comes at its own priority',
      );
    },
    { extend: true },
  ),
  priorityCase('a delayed job keeps its priority', async (session) => {
    await session.push('high', { priority: 5, delaySeconds: session.delaySeconds });
    await session.push('low', { priority: -5, delaySeconds: session.delaySeconds });
    await session.push('plain');
    await session.pass(session.delaySeconds + session.slackSeconds);
    expectSame(
      (await session.takeMany(3)).map(textOf),
      ['high', 'plain', 'low'],
      'a delayed job comes at its own priority',
    );
  }),
  priorityCase('pushMany() keeps each entry’s priority', async (session) => {
    await session.api.pushMany(
      [0, 7, -7].map((priority) => ({ job: new Note(String(priority)), queue: session.queue, priority })),
    );
    expectSame(
      (await session.takeMany(3)).map(textOf),
      ['7', '0', '-7'],
      'entries in the order of their priorities',
    );
  }),
];

/** What holds on a few levels too: the ends and the middle never share one. */
const levels: readonly ConformanceCase[] = [
  concern('priority', { priorityLevels: ['full', 'levels'] })(
    'the highest, the middle and the lowest are apart',
    async (session) => {
      for (const priority of [0, -100, 100]) await session.push(String(priority), { priority });
      const jobs = await session.takeMany(3);
      expectSame(jobs.map(textOf), ['100', '0', '-100'], 'the ends and the middle in their order');
      expectSame(
        jobs.map((job) => job.priority),
        [100, 0, -100],
        'a delivery says what was pushed, not its level',
      );
    },
  ),
];

export const priorityCases: readonly ConformanceCase[] = [...order, ...kept, ...levels];
