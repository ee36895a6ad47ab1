import assert from 'node:assert/strict';
import { InvalidQueueArgumentException, UnserializableJobException } from '../../contract/index.js';
import type { JobInstance } from '../../jobs/index.js';
import type { PushEntry, PushOptions } from '../../queue/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import { NoJob, Note, NoteWithSettings, Parcel } from './jobs.js';
import { at, jobsOf, textOf, textsOf } from './session.js';

const pushCase = concern('push');

const badOptions: readonly (readonly [what: string, options: object])[] = [
  ['a negative delay', { delaySeconds: -1 }],
  ['a delay of NaN', { delaySeconds: Number.NaN }],
  ['an infinite delay', { delaySeconds: Infinity }],
  ['a delay beyond what a Date can hold', { delaySeconds: 1e300 }],
  ['a delay as text', { delaySeconds: '5' }],
  ['a delay of null', { delaySeconds: null }],
  ['a negative maxAttempts', { maxAttempts: -1 }],
  ['a fraction as maxAttempts', { maxAttempts: 1.5 }],
  ['a maxAttempts of NaN', { maxAttempts: Number.NaN }],
  ['a maxAttempts above 2^53', { maxAttempts: 2 ** 53 }],
  ['a priority of 101', { priority: 101 }],
  ['a priority of -101', { priority: -101 }],
  ['a fraction as priority', { priority: 0.5 }],
  ['an empty unique key', { uniqueKey: '' }],
  ['a unique key of 256 characters', { uniqueKey: 'k'.repeat(256) }],
  ['metadata with a number in it', { metadata: { tenant: 7 } }],
  ['metadata as an array', { metadata: ['a'] }],
  ['metadata above 4 KB', { metadata: { note: 'x'.repeat(4_097) } }],
  ['an unknown option', { delay: 5 }],
];

const refusals = badOptions.map(([what, options]) =>
  pushCase(`${what} is refused and nothing is stored`, async (session) => {
    await assert.rejects(() => session.push('x', options as PushOptions), InvalidQueueArgumentException);
    const entry = { job: new Note('y'), queue: session.queue, ...options } as PushEntry;
    await assert.rejects(() => session.api.pushMany([entry]), InvalidQueueArgumentException);
    await session.expectNothing('nothing was stored');
  }),
);

const notJobs: readonly (readonly [what: string, value: unknown])[] = [
  ['a class', Note],
  ['an empty object', {}],
  ['a plain object with a method handle', { handle: () => undefined }],
  ['an instance of a class that is no job', new NoJob()],
  ['text', 'conformance.note'],
  ['null', null],
];

const single: readonly ConformanceCase[] = [
  ...notJobs.map(([what, value]) =>
    pushCase(`${what} is refused as a job`, async (session) => {
      await assert.rejects(
        () => session.api.push(value as JobInstance, { queue: session.queue }),
        InvalidQueueArgumentException,
      );
      await session.expectNothing('nothing was stored');
    }),
  ),
  pushCase('the id is 32 hexadecimal digits and the delivery carries it', async (session) => {
    const id = await session.push('a');
    assert.match(id, /^[0-9a-f]{32}$/);
    expectSame((await session.take()).id, id, 'the id of the delivery is the one that push() answered');
  }),
  pushCase('a delivery says what was pushed, when and how', async (session) => {
    const before = Date.now();
    const metadata = { tenant: 'acme', 'correlation-id': '42' };
    await session.push('hello', { maxAttempts: 4, metadata });
    const job = await session.take();
    expectSame(job.class, 'conformance.note', 'the class by its wire name');
    expectSame(job.args, { text: 'hello' }, 'the arguments by their names');
    expectSame(job.queue, session.queue, 'the queue');
    expectSame(job.attempts, 1, 'attempts of the first delivery');
    expectSame(job.maxAttempts, 4, 'maxAttempts of the push');
    expectSame(job.priority, 0, 'the priority that was left out');
    expectSame(job.deferrals, 0, 'deferrals of the first delivery');
    expectSame(job.metadata, metadata, 'the metadata of the push');
    assert.ok(
      job.pushedAt.getTime() >= before && job.pushedAt.getTime() <= Date.now(),
      'pushedAt is a moment of the push',
    );
  }),
  ...[null, 0, 1, 3, Number.MAX_SAFE_INTEGER].map((maxAttempts) =>
    pushCase(`maxAttempts ${maxAttempts} travels with the job`, async (session) => {
      await session.push('a', { maxAttempts });
      expectSame((await session.take()).maxAttempts, maxAttempts, 'maxAttempts of the delivery');
    }),
  ),
  pushCase('options left out are the job class’s own', async (session) => {
    const id = await session.api.push(new NoteWithSettings('own'));
    const own = await session.takeOwn(id, 'conformance-settled');
    expectSame(own.maxAttempts, 7, 'maxAttempts of the job class');
    await session.connection.settler.ack(own);
    await session.push(new NoteWithSettings('explicit'), { maxAttempts: null });
    expectSame((await session.take()).maxAttempts, null, 'an explicit null is the worker’s default');
  }),
  pushCase('two identical jobs stay two', async (session) => {
    const [first, second] = await session.pushAll(['same', 'same']);
    assert.notEqual(first, second);
    const jobs = await session.takeMany(2);
    expectSame(new Set(jobs.map((job) => job.id)), new Set([first, second]), 'ids of two identical jobs');
    await session.connection.settler.ack(at(jobs, 0));
    await session.connection.settler.release(at(jobs, 1));
    expectSame((await session.take()).id, at(jobs, 1).id, 'settling one left the other');
  }),
  pushCase('what cannot be serialized is refused and nothing is stored', async (session) => {
    for (const contents of [Number.NaN, new Map(), 'lone \ud800 surrogate', [undefined], 1n]) {
      const job = new Parcel(contents as never);
      await assert.rejects(() => session.push(job), UnserializableJobException);
    }
    await session.expectNothing('nothing was stored');
  }),
];

const lacking: readonly ConformanceCase[] = [
  pushCase(
    'a priority is refused by a backend without priorities',
    async (session) => {
      await assert.rejects(() => session.push('x', { priority: 5 }), InvalidQueueArgumentException);
      await session.expectNothing('nothing was stored');
    },
    { priorityLevels: 'none' },
  ),
  pushCase(
    'a unique key is refused by a backend that keeps none',
    async (session) => {
      await assert.rejects(() => session.push('x', { uniqueKey: 'k' }), InvalidQueueArgumentException);
      await session.expectNothing('nothing was stored');
    },
    { unique: false },
  ),
  pushCase(
    'a transaction is refused by a backend that can join none',
    async (session) => {
      await assert.rejects(() => session.push('x', { transaction: {} }), InvalidQueueArgumentException);
      await session.expectNothing('nothing was stored');
    },
    { transactionalPush: false },
  ),
];

const many: readonly ConformanceCase[] = [
  pushCase('pushMany() answers ids in order and stores in that order', async (session) => {
    const texts = Array.from({ length: 25 }, (_, index) => `note ${index}`);
    const entries = texts.map((text) => ({ job: new Note(text), queue: session.queue }));
    const ids = await session.api.pushMany(entries);
    const jobs = await session.takeMany(texts.length);
    session.expectTexts(jobs.map(textOf), texts);
    for (const job of jobs) expectSame(ids[texts.indexOf(textOf(job))], job.id, 'each id is its own entry’s');
  }),
  pushCase('pushMany() of nothing answers nothing', async (session) => {
    expectSame(await session.api.pushMany([]), [], 'what pushMany() of nothing answers');
  }),
  pushCase('pushMany() gives each entry its own options', async (session) => {
    const other = session.anotherQueue();
    await session.api.pushMany([
      { job: new Note('here'), queue: session.queue, maxAttempts: 2 },
      { job: new Note('there'), queue: other, metadata: { tenant: 'b' } },
      { job: new Note('later'), queue: session.queue, delaySeconds: session.delaySeconds },
    ]);
    const [here] = jobsOf(await session.rest(10));
    expectSame(here?.maxAttempts, 2, 'maxAttempts of the first entry');
    const there = await session.take(other);
    expectSame(
      [textOf(there), there.metadata['tenant']],
      ['there', 'b'],
      'text and metadata of the second entry',
    );
    await session.expectNothing('the delayed entry is not there yet');
  }),
  pushCase('pushMany() with one bad entry stores none', async (session) => {
    const good = { job: new Note('good'), queue: session.queue };
    const { queue } = session;
    await assert.rejects(
      () => session.api.pushMany([good, { job: new Note('bad'), queue, delaySeconds: -1 }, good]),
      InvalidQueueArgumentException,
    );
    await assert.rejects(
      () => session.api.pushMany([good, { job: new Parcel(Number.NaN), queue }, good]),
      UnserializableJobException,
    );
    await session.expectNothing('nothing was stored');
  }),
  pushCase(
    'pushMany() stores a thousand in one step',
    async (session) => {
      const entries = Array.from({ length: 1_000 }, (_, index) => ({
        job: new Note(String(index)),
        queue: session.queue,
      }));
      const ids = await session.api.pushMany(entries);
      expectSame(new Set(ids).size, 1_000, 'different ids');
      session.expectTexts(
        textsOf(await session.gather(1_000)),
        entries.map((_, index) => String(index)),
      );
    },
    { atomicPushMany: [true, 'same-queue'] },
  ),
  pushCase(
    'pushMany() refuses more than one step holds, by number and by bytes',
    async (session) => {
      const note = { job: new Note('x'), queue: session.queue };
      const tooMany = Array.from({ length: 10_001 }, () => note);
      await assert.rejects(() => session.api.pushMany(tooMany), InvalidQueueArgumentException);
      const large = { job: new Note('x'.repeat(1_100_000)), queue: session.queue };
      const tooLarge = Array.from({ length: 8 }, () => large);
      await assert.rejects(() => session.api.pushMany(tooLarge), InvalidQueueArgumentException);
      await session.expectNothing('nothing was stored');
    },
    { atomicPushMany: [true, 'same-queue'] },
  ),
];

export const pushCases: readonly ConformanceCase[] = [...refusals, ...single, ...lacking, ...many];
