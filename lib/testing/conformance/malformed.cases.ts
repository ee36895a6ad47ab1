import assert from 'node:assert/strict';
import {
  MalformedJobSettledException,
  MalformedQueuedJobDataException,
  QueuedJob,
} from '../../contract/index.js';
import type { ReserveAnswer } from '../../queue/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import { Note } from './jobs.js';
import { at, type Session, textOf, textsOf } from './session.js';
import { type MalformedKind, malformedKinds, rawItem } from './raw-items.js';

const malformedCase = concern('malformed', { facilities: ['storeRaw'] });

/** The answer for an item that was no job and is out of the way now. */
function assertSettled(session: Session, answer: ReserveAnswer | undefined): void {
  assert.ok(
    answer instanceof MalformedJobSettledException,
    `expected a MalformedJobSettledException, came ${answer === undefined ? 'nothing' : answer.constructor.name}`,
  );
  expectSame(answer.queue, session.queue, 'the queue of the item that was settled');
  assert.ok(answer.cause instanceof MalformedQueuedJobDataException, 'its cause says what is malformed');
  expectSame(answer.settlementError, null, 'its settlement went wrong with');
  const { capabilities, keepsFailedElsewhere = false } = session.backend;
  const gone = keepsFailedElsewhere ? 'dead-letter' : 'removed';
  expectSame(
    answer.disposition,
    capabilities.failedJobs === 'no' ? gone : 'failed-store',
    'where the item went',
  );
}

async function isTakenOut(session: Session, { make }: MalformedKind): Promise<void> {
  await session.storeRaw(make());
  assertSettled(session, await session.look([session.queue]));
  await session.expectNothing('it does not come again');
  await session.expectCounts({ ready: 0 });
  await session.expireLease();
  await session.expectNothing('not after a lease either');
  await session.push('good');
  expectSame(textOf(await session.take()), 'good', 'the queue goes on');
}

/** Reserved raw, as by a worker that died before it decoded the item; then found by the reclaim. */
async function isTakenOutOnReclaim(session: Session, { make }: MalformedKind): Promise<void> {
  await session.storeRaw(make());
  await session.item();
  await session.expireLease();
  assertSettled(session, await session.look([session.queue]));
  await session.expectNothing('it does not come again');
  await session.push('good');
  expectSame(textOf(await session.take()), 'good', 'the queue goes on');
}

const alone = malformedKinds.map((kind) =>
  malformedCase(`${kind.kind} is taken out of the queue`, (session) => isTakenOut(session, kind), {
    holds: kind.kind,
  }),
);

const onReclaim = malformedKinds.map((kind) =>
  malformedCase(
    `${kind.kind} is taken out of the queue by a reclaim`,
    (session) => isTakenOutOnReclaim(session, kind),
    { holds: kind.kind, extend: true },
  ),
);

const together: readonly ConformanceCase[] = [
  malformedCase('in a batch the good jobs come, in order, and each bad item is told', async (session) => {
    await session.push('first');
    await session.storeRaw({ header: rawItem().header, body: 'not json' });
    await session.push('second');
    await session.storeRaw(rawItem({ v: -1 }));
    await session.storeRaw(rawItem({}, { args: [] }));
    await session.push('third');
    const bad = 'MalformedJobSettledException';
    const answers = await session.gather(6);
    session.expectTexts(textsOf(answers), ['first', bad, 'second', bad, bad, 'third']);
    for (const answer of answers) {
      if (answer instanceof QueuedJob) await session.connection.settler.ack(answer);
      else assertSettled(session, answer);
    }
    await session.expectCounts({ ready: 0, reserved: 0 });
  }),
  malformedCase('a bad item counts towards the limit of a batch', async (session) => {
    await session.storeRaw(rawItem({}, { class: '' }));
    await session.pushAll(['a', 'b']);
    const first = textsOf(await session.reserve(2));
    assert.ok(first.length <= 2, `expected at most 2 answers, came ${first.length}`);
    const texts = [...first, ...textsOf(await session.gather(3 - first.length))];
    session.expectTexts(texts, ['MalformedJobSettledException', 'a', 'b']);
  }),
  malformedCase(
    'an unreadable header in a batch stops nothing',
    async (session) => {
      await session.push('first');
      await session.storeRaw({ header: null, body: 'anything' });
      await session.push('second');
      const texts = textsOf(await session.gather(3));
      expectSame(
        texts.toSorted(),
        ['MalformedJobSettledException', 'first', 'second'],
        'what comes of a batch with an unreadable header',
      );
    },
    { holds: 'header: unreadable' },
  ),
  malformedCase('pop() throws for one bad item and gives the next job', async (session) => {
    const { signal } = new AbortController();
    await session.storeRaw(rawItem({}, { metadata: { tenant: 7 } }));
    await assert.rejects(
      () => session.connection.pop(5, [session.queue], signal),
      MalformedJobSettledException,
    );
    await session.push('good');
    const job = await session.connection.pop(5, [session.queue], signal);
    expectSame(job === null ? null : textOf(job), 'good', 'the job behind the bad item');
  }),
  malformedCase('fifty bad items in front of a job are worked off', async (session) => {
    for (let index = 0; index < 50; index += 1) await session.storeRaw(rawItem({}, { id: index }));
    await session.push('good');
    const answers = await session.gather(51);
    expectSame(
      answers.filter((answer) => answer instanceof MalformedJobSettledException).length,
      50,
      'how many bad items were told',
    );
    expectSame(
      answers.filter((answer) => answer instanceof QueuedJob).map((job) => textOf(job)),
      ['good'],
      'the jobs behind them',
    );
  }),
  malformedCase('no message shows what is stored', async (session) => {
    const secret = 'hunter2hunter2';
    for (const item of [
      { header: rawItem().header, body: `{"password":"${secret}"` },
      rawItem({}, { class: 7, args: { password: secret } }),
      rawItem({}, { id: secret }),
      rawItem({}, { metadata: { password: [secret] } }),
    ]) {
      await session.storeRaw(item);
      const answer = await session.look([session.queue]);
      assertSettled(session, answer);
      assert.ok(
        !String((answer as Error).message).includes(secret),
        'the message shows nothing of what is stored',
      );
      assert.ok(
        !String(((answer as Error).cause as Error).message).includes(secret),
        'the cause’s message shows nothing of what is stored',
      );
    }
  }),
  malformedCase(
    'a bad item frees its unique key',
    async (session) => {
      const options = { queue: session.queue, uniqueKey: 'k' };
      await session.api.push(new Note('k'), options);
      const held = await session.take();
      const { uniqueKey } = held.header;
      await session.connection.settler.ack(held);
      await session.storeRaw(rawItem({ uniqueKey }, { class: '' }));
      assertSettled(session, await session.look([session.queue]));
      expectSame(
        typeof (await session.api.push(new Note('k'), options)),
        'string',
        'the kind of id that a push with the freed key answers',
      );
    },
    { unique: true },
  ),
  malformedCase('a class that no code knows is a job like any other to the queue', async (session) => {
    await session.storeRaw(rawItem({}, { class: 'nobody.knows', args: { a: [1, { b: null }] } }));
    const job = await session.take();
    expectSame(
      [job.class, job.args],
      ['nobody.knows', { a: [1, { b: null }] }],
      'class and arguments of a job that no code knows',
    );
  }),
  malformedCase(
    'counters at the edge of what is allowed are no damage',
    async (session) => {
      const most = Number.MAX_SAFE_INTEGER - 2;
      await session.storeRaw(
        rawItem({ attempts: most, deferrals: most, graceRounds: most, serial: 2 ** 50 }),
      );
      const job = await session.take();
      expectSame(job.header.attempts, most, 'attempts at the edge are kept');
      expectSame(job.deferrals, most, 'deferrals at the edge are kept');
    },
    { freeDeferral: true },
  ),
];

const NEWER = rawItem({ v: 2, future: 'field' }, { shape: 'unknown' });

const newer: readonly ConformanceCase[] = [
  malformedCase('an envelope of a newer version is given back, not taken out', async (session) => {
    await session.storeRaw(NEWER);
    expectSame(await session.rest(5), [], 'it is no answer');
    await session.expectCounts({ ready: 0, delayed: 1, reserved: 0 }, 'it rests');
    expectSame(session.warnings.length, 1, 'how often an envelope of a newer version is warned about');
    assert.match(at(session.warnings, 0), /version 2/);
  }),
  malformedCase(
    'an envelope of a newer version comes again, with nothing spent',
    async (session) => {
      await session.storeRaw(NEWER);
      for (const round of [1, 2, 3]) {
        expectSame(await session.rest(5), [], `round ${round}`);
        await session.pass(60);
      }
      const item = await session.item();
      expectSame(item.body, NEWER.body, 'the body of the newer envelope');
      expectSame(item.header?.v, 2, 'the version of the newer envelope');
      expectSame(item.header?.attempts, 0, 'attempts that the newer envelope has spent');
    },
    { facilities: ['storeRaw', 'clock'], freeDeferral: true },
  ),
  malformedCase('in a batch a newer envelope holds nothing back', async (session) => {
    await session.push('first');
    await session.storeRaw(NEWER);
    await session.push('second');
    session.expectTexts(textsOf(await session.gather(2)), ['first', 'second']);
  }),
];

export const malformedCases: readonly ConformanceCase[] = [...alone, ...onReclaim, ...together, ...newer];
