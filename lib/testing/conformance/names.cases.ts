import assert from 'node:assert/strict';
import { InvalidQueueArgumentException } from '../../contract/index.js';
import { ClearableQueue } from '../../queue/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import type { Session } from './session.js';

const nameCase = concern('names');

/** What no queue may be called, by what is wrong with it. */
const badNames: readonly (readonly [what: string, name: unknown])[] = [
  ['an empty name', ''],
  ['a name of 81 characters', 'a'.repeat(81)],
  ['a space', 'two words'],
  ['a space at the end', 'name '],
  ['a dot', 'a.b'],
  ['a slash', 'a/b'],
  ['a colon', 'a:b'],
  ['braces', '{a}'],
  ['a star', '*'],
  ['a quote', "a'b"],
  ['a letter with an accent', 'caf\u00e9'],
  ['a line break at the end', 'name\n'],
  ['a NUL', 'a\0b'],
  ['null', null],
  ['undefined', undefined],
  ['a number', 7],
  ['an array', ['name']],
];

/** Names that pass, though one storage or another treats them specially. Other runs use them too. */
const specialNames: readonly string[] = [
  'a',
  '0',
  '-',
  '_',
  'select',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  'toString',
];

/** How a name of the case's own may begin. */
const beginnings: readonly string[] = ['0', '-', '_', '--', '__', 'A-Z_a-z_0-9'];

async function refusesName(session: Session, what: string, name: unknown): Promise<void> {
  const queue = name as string;
  const refused = (call: () => Promise<unknown>, operation: string): Promise<void> =>
    assert.rejects(call, InvalidQueueArgumentException, `${operation} refuses ${what}`);
  await refused(() => session.connection.pop(1, [queue], new AbortController().signal), 'pop()');
  await refused(() => session.connection.reserve([queue], 1), 'reserve()');
  await refused(() => session.connection.size(queue), 'size()');
  await refused(() => session.connection.counts(queue), 'counts()');
  // To a push, undefined is an option left out.
  if (name !== undefined) await refused(() => session.push('x', { queue }), 'push()');
  if (session.backend.capabilities.clear) {
    await refused(() => new ClearableQueue(session.api).clear(queue), 'clear()');
  }
}

const badNameCases = badNames.map(([what, name]) =>
  nameCase(`${what} is refused by every operation`, (session) => refusesName(session, what, name)),
);

const lists: readonly ConformanceCase[] = [
  nameCase('an empty list gives nothing at once, even without a deadline', async (session) => {
    await session.push('untouched');
    expectSame(
      await session.connection.pop(0, [], new AbortController().signal),
      null,
      'what pop() of no queues answers',
    );
    expectSame(await session.connection.reserve([], 5), [], 'what reserve() of no queues answers');
  }),
  nameCase('a list that repeats a name is refused', async (session) => {
    const list = [session.queue, session.anotherQueue(), session.queue];
    const { signal } = new AbortController();
    await assert.rejects(() => session.connection.pop(1, list, signal), InvalidQueueArgumentException);
    await assert.rejects(() => session.connection.reserve(list, 1), InvalidQueueArgumentException);
  }),
  nameCase('a list is checked whole before a queue of it is touched', async (session) => {
    await session.push('untouched');
    const { signal } = new AbortController();
    for (const list of [
      [session.queue, 'not a name'],
      [session.queue, session.queue],
    ]) {
      await assert.rejects(() => session.connection.pop(1, list, signal), InvalidQueueArgumentException);
      await assert.rejects(() => session.connection.reserve(list, 1), InvalidQueueArgumentException);
    }
    expectSame((await session.take()).attempts, 1, 'the first queue of the list was left alone');
  }),
  nameCase('what is no list is refused', async (session) => {
    const { signal } = new AbortController();
    for (const list of ['mail', null, undefined, new Set(['mail'])]) {
      const queues = list as never;
      await assert.rejects(() => session.connection.pop(1, queues, signal), InvalidQueueArgumentException);
    }
  }),
];

const kept: readonly ConformanceCase[] = [
  nameCase('every name that the grammar allows holds jobs of its own', async (session) => {
    const names = [
      ...specialNames,
      ...beginnings.map((beginning) => `${beginning}${session.anotherQueue()}`),
    ];
    const ids = new Map<string, string>();
    for (const queue of names) ids.set(queue, await session.push(`in ${queue}`, { queue }));
    for (const [queue, id] of ids) {
      const job = await session.takeOwn(id, queue);
      expectSame(job.args['text'], `in ${queue}`, 'the job of this very name');
      expectSame(job.queue, queue, 'the queue that the delivery names');
      await session.connection.settler.ack(job);
    }
  }),
  nameCase('a name of 80 characters is kept whole', async (session) => {
    const stem = session.queue.padEnd(79, 'x');
    await session.push('first', { queue: `${stem}1` });
    await session.push('second', { queue: `${stem}2` });
    expectSame((await session.take(`${stem}2`)).args['text'], 'second', 'the job on the name that ends in 2');
    expectSame((await session.take(`${stem}1`)).args['text'], 'first', 'the job on the name that ends in 1');
  }),
  nameCase('names that differ only in case are two queues', async (session) => {
    const [lower, upper] = [`${session.queue}-mail`, `${session.queue}-MAIL`];
    await session.push('small', { queue: lower });
    await session.expectNothing('the other queue is empty', upper);
    await session.expectCounts({ ready: 0 }, 'the other queue counts nothing', upper);
    expectSame((await session.take(lower)).queue, lower, 'the queue that the delivery names');
  }),
  nameCase('an underscore in a name stands for itself', async (session) => {
    await session.push('other', { queue: `${session.queue}xa` });
    await session.expectNothing('the other queue is empty', `${session.queue}_a`);
    await session.expectCounts({ ready: 0 }, 'the other queue counts nothing', `${session.queue}_a`);
  }),
];

export const nameCases: readonly ConformanceCase[] = [...badNameCases, ...lists, ...kept];
