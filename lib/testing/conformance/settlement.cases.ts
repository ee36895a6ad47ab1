import assert from 'node:assert/strict';
import { InvalidQueueArgumentException, type NewJob, type Settlement } from '../../contract/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import { at, type Session, textOf, withText } from './session.js';

const settleCase = concern('settlement');

const FAILURE = { cause: 'fatal', error: 'Error', message: 'given up on', stack: null } as const;

const ends: readonly ConformanceCase[] = [
  settleCase('an acknowledged job is gone for good', async (session) => {
    await session.push('a');
    await session.connection.settler.ack(await session.take());
    await session.expectCounts({ ready: 0 });
    await session.expireLease();
    await session.expectNothing('not after its lease either');
  }),
  settleCase('a failed job leaves the queue for good', async (session) => {
    await session.push('a');
    await session.connection.settler.fail(await session.take(), new Error('given up on'));
    await session.expectCounts({ ready: 0 });
    await session.expireLease();
    await session.expectNothing('not after its lease either');
  }),
  settleCase('no text of an error keeps a failure from being recorded', async (session) => {
    const errors = [
      new Error('NUL \0, a lone \ud800 surrogate, \u{1f600}, \' " ` ; -- ? :name $1 %s \\'),
      new Error('x'.repeat(200_000)),
      'only text',
      null,
      { toString: () => assert.fail('never shown') },
    ];
    for (const error of errors) {
      await session.push('a');
      await session.connection.settler.fail(await session.take(), error);
    }
    await session.expectNothing('each was settled');
    await session.expectCounts({ ready: 0 });
  }),
  settleCase('a job released without a delay is there at once', async (session) => {
    await session.push('a');
    await session.connection.settler.release(await session.take());
    await session.expectCounts({ ready: 1 });
    expectSame((await session.take()).attempts, 2, 'attempts after a release');
  }),
  settleCase('settling one delivery leaves the others', async (session) => {
    await session.pushAll(['acked', 'released', 'failed', 'kept']);
    const jobs = await session.takeMany(4);
    await session.connection.settler.ack(withText(jobs, 'acked'));
    await session.connection.settler.release(withText(jobs, 'released'));
    await session.connection.settler.fail(withText(jobs, 'failed'), new Error('given up on'));
    expectSame(textOf(await session.take()), 'released', 'the released job is there at once');
    await session.expectNothing('the fourth is still held');
    await session.connection.settler.ack(withText(jobs, 'kept'));
  }),
  settleCase('a delay that is no number of seconds is refused and the delivery goes on', async (session) => {
    await session.push('a');
    const job = await session.take();
    for (const delaySeconds of [-1, Number.NaN, Infinity, 1e300, '5', null]) {
      const options = { delaySeconds: delaySeconds as number };
      const { settler } = session.connection;
      await assert.rejects(() => settler.release(job, options), InvalidQueueArgumentException);
      await assert.rejects(() => settler.defer(job, options), InvalidQueueArgumentException);
    }
    await session.expectNothing('the job is still held');
    await session.connection.settler.ack(job);
  }),
];

const deferral = { freeDeferral: true, priorityLevels: ['full', 'levels'] } as const;

const deferrals: readonly ConformanceCase[] = [
  settleCase(
    'a deferred job comes before everything else on its queue',
    async (session) => {
      await session.push('deferred');
      const job = await session.take();
      await session.push('b');
      await session.push('urgent', { priority: 100 });
      await session.connection.settler.defer(job);
      expectSame(
        (await session.takeMany(3)).map(textOf),
        ['deferred', 'urgent', 'b'],
        'a deferred job comes first',
      );
    },
    deferral,
  ),
  settleCase(
    'after a delay a deferred job comes before everything else too',
    async (session) => {
      await session.push('deferred');
      await session.connection.settler.defer(await session.take(), { delaySeconds: session.delaySeconds });
      await session.push('urgent', { priority: 100 });
      await session.pass(session.delaySeconds + session.slackSeconds);
      expectSame(
        (await session.takeMany(2)).map(textOf),
        ['deferred', 'urgent'],
        'a deferred job comes first when its delay is over',
      );
    },
    deferral,
  ),
  settleCase(
    'a deferral’s precedence lasts for one round',
    async (session) => {
      await session.push('deferred');
      await session.push('urgent', { priority: 100 });
      const jobs = await session.takeMany(2);
      await session.connection.settler.defer(at(jobs, 1));
      const deferred = await session.take();
      await session.connection.settler.release(at(jobs, 0));
      await session.push('more urgent', { priority: 100 });
      await session.connection.settler.release(deferred);
      const texts = (await session.takeMany(3)).map(textOf);
      expectSame(texts.toSorted(), ['deferred', 'more urgent', 'urgent'], 'jobs that come');
      expectSame(texts[2], 'deferred', 'a release puts it at its own priority again');
    },
    deferral,
  ),
  settleCase(
    'a deferral’s precedence does not outlast a lost lease',
    async (session) => {
      await session.push('deferred');
      await session.connection.settler.defer(await session.take());
      await session.take();
      await session.push('urgent', { priority: 100 });
      await session.expireLease();
      expectSame(
        (await session.takeMany(2)).map(textOf),
        ['urgent', 'deferred'],
        'a deferred job whose lease was lost comes at its own priority',
      );
    },
    { ...deferral, priorityLevels: 'full', extend: true },
  ),
];

/** Speaks to the backend itself: only the worker settles in batches. */
const batches: readonly ConformanceCase[] = [
  settleCase('a batch is answered entry by entry, in order', async (session) => {
    const ids = await session.pushAll(['acked', 'released', 'failed', 'delayed']);
    const items = await session.items(4);
    const [a, b, c, d] = ids.map((id) => items.find(({ body }) => String(body).includes(id))?.receipt);
    const outcomes = await session.backend.settle([
      { operation: 'ack', receipt: a, followUps: [] },
      { operation: 'release', receipt: b, changes: { attempts: 1 }, delaySeconds: 0 },
      { operation: 'fail', receipt: c, failure: FAILURE },
      { operation: 'release', receipt: d, changes: {}, delaySeconds: session.delaySeconds },
    ]);
    expectSame(
      outcomes.map(({ status }) => status),
      ['applied', 'applied', 'applied', 'applied'],
      'outcomes in the order of the entries',
    );
    expectSame(textOf(await session.take()), 'released', 'the released job is there at once');
    await session.expectNothing('the others are gone or wait');
    await session.pass(session.delaySeconds + session.slackSeconds);
    expectSame(textOf(await session.take()), 'delayed', 'the job that was given back with a delay');
  }),
  settleCase(
    'a stale entry of a batch is named and the others are applied',
    async (session) => {
      await session.pushAll(['a', 'b', 'c', 'd']);
      const items = await session.items(4);
      const ack = (index: number): Settlement => ({
        operation: 'ack',
        receipt: at(items, index).receipt,
        followUps: [],
      });
      await session.backend.settle([ack(1)]);
      const outcomes = await session.backend.settle([ack(0), ack(1), ack(2), ack(3)]);
      expectSame(
        outcomes.map(({ status }) => status),
        ['applied', 'stale', 'applied', 'applied'],
        'outcomes in the order of the entries',
      );
      await session.expectCounts({ ready: 0, reserved: 0 });
    },
    { fencedSettlement: true },
  ),
  settleCase(
    'stale entries of every kind in one batch change nothing',
    async (session) => {
      await session.pushAll(['a', 'b']);
      const items = await session.items(2);
      const [stale, live] = items.map(({ receipt }) => receipt);
      await session.backend.settle([{ operation: 'release', receipt: stale, changes: {}, delaySeconds: 0 }]);
      const outcomes = await session.backend.settle([
        { operation: 'ack', receipt: stale, followUps: [] },
        { operation: 'release', receipt: stale, changes: { attempts: 9 }, delaySeconds: 0 },
        { operation: 'fail', receipt: stale, failure: FAILURE },
        { operation: 'ack', receipt: live, followUps: [] },
      ]);
      expectSame(
        outcomes.map(({ status }) => status),
        ['stale', 'stale', 'stale', 'applied'],
        'outcomes in the order of the entries',
      );
      const job = await session.take();
      expectSame(
        JSON.stringify(job.body),
        String(at(items, 0).body),
        'the body of the job that the stale entries named',
      );
      if (session.backend.capabilities.freeDeferral)
        expectSame(job.attempts, 1, 'attempts that the stale entries left');
    },
    { fencedSettlement: true },
  ),
  ...(['ack', 'release', 'fail'] as const).map((operation) =>
    settleCase(
      `of two entries of a batch that ${operation} one delivery, one is stale`,
      async (session) => {
        await session.push('a');
        const { receipt } = await session.item();
        const settlement: Settlement =
          operation === 'ack'
            ? { operation, receipt, followUps: [] }
            : operation === 'fail'
              ? { operation, receipt, failure: FAILURE }
              : { operation, receipt, changes: {}, delaySeconds: 0 };
        const outcomes = await session.backend.settle([settlement, settlement]);
        expectSame(
          outcomes.map(({ status }) => status).toSorted(),
          ['applied', 'stale'],
          'outcomes of two settlements of one delivery',
        );
      },
      { fencedSettlement: true },
    ),
  ),
  settleCase('nothing to store or to settle is answered with nothing', async (session) => {
    expectSame(await session.backend.store([]), [], 'what store() of nothing answers');
    expectSame(await session.backend.settle([]), [], 'what settle() of nothing answers');
  }),
];

function followUpOf(session: Session, template: NewJob, id: string, delaySeconds = 0): NewJob {
  return { ...template, id, queue: session.queue, delaySeconds };
}

async function templateOf(session: Session): Promise<NewJob> {
  const queue = session.anotherQueue();
  await session.push('follow-up', { queue });
  const job = await session.take(queue);
  await session.connection.settler.ack(job);
  const { id, header, body } = job;
  return {
    id,
    queue,
    header: { ...header, serial: 0, attempts: 0 },
    body: JSON.stringify(body),
    delaySeconds: 0,
  };
}

const followUps: readonly ConformanceCase[] = [
  settleCase('an ack stores its follow-ups', async (session) => {
    const template = await templateOf(session);
    await session.push('first');
    const job = await session.take();
    await session.connection.settler.ack(job, [followUpOf(session, template, template.id)]);
    const next = await session.take();
    expectSame([textOf(next), next.attempts], ['follow-up', 1], 'text and attempts of the follow-up');
    await session.expectNothing('the acknowledged job is gone');
  }),
  settleCase('a follow-up may go to another queue and may be delayed', async (session) => {
    const template = await templateOf(session);
    const other = session.anotherQueue();
    await session.push('first');
    const later = { ...followUpOf(session, template, template.id, session.delaySeconds), queue: other };
    await session.connection.settler.ack(await session.take(), [later]);
    await session.expectNothing('it is delayed', other);
    await session.pass(session.delaySeconds + session.slackSeconds);
    expectSame(textOf(await session.take(other)), 'follow-up', 'the follow-up comes when its delay is over');
  }),
];

export const settlementCases: readonly ConformanceCase[] = [...ends, ...deferrals, ...batches, ...followUps];
