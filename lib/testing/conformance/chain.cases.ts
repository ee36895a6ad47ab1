import assert from 'node:assert/strict';
import { keepsFailedJobs, StaleJobHandleException } from '../../contract/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import { Note } from './jobs.js';
import { type Session, textOf } from './session.js';

const chainCase = concern('chain');

/** Pushes notes that run one after the other on the case's queue. */
function pushChain(session: Session, texts: readonly string[], options: object = {}): Promise<string[]> {
  const entries = texts.map((text) => ({ job: new Note(text), queue: session.queue, ...options }));
  return session.api.chain(entries);
}

const steps: readonly ConformanceCase[] = [
  chainCase('each job is there when the one before it was acknowledged, and not before', async (session) => {
    const ids = await pushChain(session, ['a', 'b', 'c']);
    for (const [index, text] of ['a', 'b', 'c'].entries()) {
      const job = await session.take();
      expectSame(
        [job.id, textOf(job), job.attempts],
        [ids[index], text, 1],
        'id, text and attempts of the step',
      );
      await session.expectNothing('the next one is not there yet');
      await session.connection.settler.ack(job);
    }
    await session.expectCounts({ ready: 0 });
  }),
  chainCase('a step has its own queue, delay and attempts', async (session) => {
    const other = session.anotherQueue();
    await session.api.chain([
      { job: new Note('a'), queue: session.queue },
      { job: new Note('b'), queue: other, delaySeconds: session.delaySeconds, maxAttempts: 4 },
    ]);
    await session.connection.settler.ack(await session.take());
    await session.expectNothing('its delay begins when it is stored', other);
    await session.pass(session.delaySeconds + session.slackSeconds);
    const next = await session.take(other);
    expectSame([textOf(next), next.maxAttempts], ['b', 4], 'text and maxAttempts of the next step');
  }),
  chainCase('a step inherits the metadata of the one before it', async (session) => {
    await session.api.chain([
      { job: new Note('a'), queue: session.queue, metadata: { tenant: 'acme', step: '1' } },
      { job: new Note('b'), queue: session.queue, metadata: { step: '2' } },
    ]);
    await session.connection.settler.ack(await session.take());
    expectSame(
      { ...(await session.take()).metadata },
      { tenant: 'acme', step: '2' },
      'the metadata of the second step',
    );
  }),
  chainCase(
    'a step has its own priority',
    async (session) => {
      await session.api.chain([
        { job: new Note('a'), queue: session.queue },
        { job: new Note('urgent'), queue: session.queue, priority: 100 },
      ]);
      const first = await session.take();
      await session.push('plain');
      await session.connection.settler.ack(first);
      expectSame(textOf(await session.take()), 'urgent', 'the step with the higher priority comes first');
    },
    { priorityLevels: ['full', 'levels'] },
  ),
];

const ends: readonly ConformanceCase[] = [
  chainCase('a retried step stores the next one once, when it succeeds', async (session) => {
    await pushChain(session, ['a', 'b']);
    await session.connection.settler.release(await session.take());
    const again = await session.take();
    expectSame(
      [textOf(again), again.attempts],
      ['a', 2],
      'text and attempts of the step that is tried again',
    );
    await session.connection.settler.ack(again);
    expectSame(textOf(await session.take()), 'b', 'the step after the one that succeeded');
    await session.expectNothing('there is one of it');
  }),
  chainCase('a step that fails for good ends its chain', async (session) => {
    await pushChain(session, ['a', 'b']);
    await session.connection.settler.fail(await session.take(), new Error('no'));
    await session.expectCounts({ ready: 0 });
    await session.expectNothing('the next one is not stored');
  }),
  chainCase(
    'an ack that is stale stores no next step',
    async (session) => {
      await pushChain(session, ['a', 'b']);
      const lost = await session.take();
      await session.expireLease();
      const current = await session.take();
      await assert.rejects(() => session.connection.settler.ack(lost), StaleJobHandleException);
      await session.expectNothing('the chain waits for the current delivery');
      await session.connection.settler.ack(current);
      expectSame(textOf(await session.take()), 'b', 'the step after the ack by the current delivery');
    },
    { fencedSettlement: true, atomicFollowUps: [true, 'same-queue'], extend: true },
  ),
  chainCase(
    'a chain goes on when its failed step is retried',
    async (session) => {
      await pushChain(session, ['a', 'b']);
      const job = await session.take();
      await session.connection.settler.fail(job, new Error('no'));
      assert.ok(keepsFailedJobs(session.backend), 'a backend that claims failedJobs keeps failed jobs');
      await session.backend.retryFailed(job.id, session.queue);
      await session.connection.settler.ack(await session.take());
      expectSame(textOf(await session.take()), 'b', 'the step after the one that was retried');
    },
    { failedJobs: ['yes', 'scan'] },
  ),
];

export const chainCases: readonly ConformanceCase[] = [...steps, ...ends];
