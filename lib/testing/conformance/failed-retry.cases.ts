import assert from 'node:assert/strict';
import { keepsFailedJobs } from '../../contract/index.js';
import type { ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import { failedCase, failNote, listed, storeOf } from './failed-jobs.support.js';
import { textOf } from './session.js';
import { Note } from './jobs.js';

const retries: readonly ConformanceCase[] = [
  failedCase('a retry starts over with the same job', async (session) => {
    await session.push('a', { priority: 0, maxAttempts: 3 });
    await session.connection.settler.release(await session.take());
    await session.connection.settler.defer(await session.take());
    const job = await session.take();
    await session.connection.settler.fail(job, new Error('no'));
    expectSame(
      await storeOf(session).retryFailed(job.id, session.queue),
      'retried',
      'the retry of a failed job',
    );
    await session.expectCounts({ ready: 1, failed: 0 });
    const again = await session.take();
    expectSame(again.body, job.body, 'the body after a retry');
    expectSame(
      [again.attempts, again.deferrals, again.header.graceRounds],
      [1, 0, 0],
      'attempts, deferrals and grace rounds after a retry',
    );
    if (session.backend.capabilities.fencedSettlement) {
      assert.ok(again.header.serial > job.header.serial, 'the serial goes on');
    }
    if (session.backend.capabilities.fencedSettlement) {
      await assert.rejects(() => session.connection.settler.ack(job), 'the old delivery has ended');
    }
    await session.connection.settler.ack(again);
  }),
  failedCase(
    'a retry keeps the priority',
    async (session) => {
      await session.push('low', { priority: -5 });
      const job = await session.take();
      await session.connection.settler.fail(job, new Error('no'));
      await storeOf(session).retryFailed(job.id, session.queue);
      await session.push('plain');
      expectSame(
        (await session.takeMany(2)).map(textOf),
        ['plain', 'low'],
        'a retried job comes at its own priority',
      );
    },
    { priorityLevels: 'full' },
  ),
  failedCase('a retry of what is not there is missing, and so is a second one', async (session) => {
    expectSame(
      await storeOf(session).retryFailed('f'.repeat(32), session.queue),
      'missing',
      'the retry of what never failed',
    );
    const id = await failNote(session, 'a');
    expectSame(await storeOf(session).retryFailed(id, session.queue), 'retried', 'the retry of a failed job');
    expectSame(
      await storeOf(session).retryFailed(id, session.queue),
      'missing',
      'a second retry of the same job',
    );
    await session.expectCounts({ ready: 1 }, 'it came back once');
  }),
  failedCase('a retry of all brings back one queue’s jobs', async (session) => {
    const other = session.anotherQueue();
    for (const text of ['a', 'b', 'c']) await failNote(session, text);
    await failNote(session, 'there', { queue: other });
    const result = await storeOf(session).retryAllFailed(session.queue);
    expectSame({ ...result }, { retried: 3, duplicates: 0 }, 'what a retry of all answers');
    expectSame((await session.takeMany(3)).length, 3, 'jobs that came back');
    await session.expectCounts({ ready: 0, failed: 1 }, 'the other queue', other);
  }),
  failedCase(
    'a retry whose unique key is held by another job is a duplicate and stays',
    async (session) => {
      const options = { queue: session.queue, uniqueKey: 'k' };
      const id = await session.api.push(new Note('first'), options);
      await session.connection.settler.fail(await session.take(), new Error('no'));
      await session.api.push(new Note('second'), options);
      expectSame(
        await storeOf(session).retryFailed(String(id), session.queue),
        'duplicate',
        'the retry of a job whose unique key is held',
      );
      await session.expectCounts({ ready: 1, failed: 1 });
      await session.connection.settler.ack(await session.take());
      expectSame(
        await storeOf(session).retryFailed(String(id), session.queue),
        'retried',
        'the retry when the key is free again',
      );
      expectSame(await session.api.push(new Note('third'), options), null, 'it holds its key again');
    },
    { unique: true },
  ),
];

const removals: readonly ConformanceCase[] = [
  failedCase('a failed job that is forgotten is gone', async (session) => {
    const id = await failNote(session, 'a');
    await failNote(session, 'b');
    expectSame(await storeOf(session).forgetFailed(id, session.queue), true, 'a failed job is forgotten');
    expectSame(
      await storeOf(session).forgetFailed(id, session.queue),
      false,
      'a failed job is forgotten a second time',
    );
    expectSame(
      await storeOf(session).findFailed(id, session.queue),
      null,
      'what is found of a forgotten job',
    );
    await session.expectCounts({ ready: 0, failed: 1 });
  }),
  failedCase('a flush empties one queue’s failed jobs and counts them', async (session) => {
    const other = session.anotherQueue();
    for (const text of ['a', 'b']) await failNote(session, text);
    await failNote(session, 'there', { queue: other });
    expectSame(await storeOf(session).flushFailed(session.queue), 2, 'how many failed jobs a flush removed');
    expectSame(
      await storeOf(session).flushFailed(session.queue),
      0,
      'how many failed jobs a second flush removed',
    );
    expectSame(await listed(session), [], 'failed jobs after a flush');
    await session.expectCounts({ failed: 1 }, 'the other queue', other);
  }),
  failedCase(
    'another process sees the same failed jobs',
    async (session) => {
      const id = await failNote(session, 'a');
      const { backend } = await session.second();
      assert.ok(keepsFailedJobs(backend), 'a backend that claims failedJobs keeps failed jobs');
      expectSame(
        (await backend.findFailed(id, session.queue))?.queue,
        session.queue,
        'the queue of the failed job that another process finds',
      );
      expectSame(await backend.retryFailed(id, session.queue), 'retried', 'the retry by another process');
      expectSame((await session.take()).id, id, 'the job that another process retried');
    },
    { facilities: ['second'] },
  ),
];

/** What brings failed jobs back, and what removes them. */
export const failedRetryCases: readonly ConformanceCase[] = [...retries, ...removals];
