import assert from 'node:assert/strict';
import {
  type FailedJobsBackend,
  InvalidQueueArgumentException,
  keepsFailedJobs,
  MAX_FAILED_SCAN,
  type StoredFailedJob,
} from '../../contract/index.js';
import { FailedJobs } from '../../queue/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import { Note } from './jobs.js';
import { malformedKinds, rawItem } from './raw-items.js';
import { at, type Session, textOf } from './session.js';

const failedCase = concern('failed', { failedJobs: ['yes', 'scan'] });
const indexedCase = concern('failed', { failedJobs: 'yes' });
const scannedCase = concern('failed', { failedJobs: 'scan' });

/** By which the clock of a server may differ from that of the tests, in milliseconds. */
const SKEW_MS = 60_000;

function storeOf(session: Session): FailedJobsBackend {
  assert.ok(keepsFailedJobs(session.backend), 'a backend that claims failedJobs keeps failed jobs');
  return session.backend;
}

async function listed(session: Session): Promise<readonly StoredFailedJob[]> {
  return (await storeOf(session).listFailed({ queue: session.queue, limit: 1_000 })).jobs;
}

/** Pushes a note, takes it and gives it up; answers its id. */
async function failNote(session: Session, text: string, options: { queue?: string } = {}): Promise<string> {
  const id = await session.push(text, options);
  const job = await session.take(options.queue ?? session.queue);
  await session.connection.settler.fail(job, new Error(`no ${text}`), 'exhausted');
  return id;
}

const kept: readonly ConformanceCase[] = [
  failedCase('a failed job is kept as it was, with what went wrong and when', async (session) => {
    const before = Date.now();
    await session.push('a', { maxAttempts: 3, metadata: { tenant: 'acme' } });
    await session.connection.settler.release(await session.take());
    const job = await session.take();
    await session.connection.settler.fail(job, new TypeError('gone wrong'), 'exhausted');
    const stored = await storeOf(session).findFailed(job.id, session.queue);
    assert.ok(stored !== null, 'it is found by its id');
    expectSame([stored.id, stored.queue], [job.id, session.queue], 'id and queue of the failed job');
    expectSame(JSON.parse(String(stored.body)), job.body, 'the body of the failed job');
    expectSame(stored.header?.attempts, 1, 'the attempts that were completed before');
    const { cause, error, message, stack } = stored.failure;
    expectSame(
      [cause, error, message],
      ['exhausted', 'TypeError', 'gone wrong'],
      'cause, class and message of the failure',
    );
    assert.match(stack ?? '', /TypeError: gone wrong/);
    assert.ok(stored.failedAt.getTime() >= before - SKEW_MS, 'failedAt is a moment of this run');
    await session.expectCounts({ ready: 0, failed: 1 });
  }),
  ...malformedKinds
    .filter(({ kind }) => kind.startsWith('body: ') || kind === 'header: unreadable')
    .map(({ kind, make }) =>
      failedCase(
        `${kind}: its bytes are kept as they were`,
        async (session) => {
          const raw = make();
          await session.storeRaw(raw);
          await session.look([session.queue]);
          const stored = at(await listed(session), 0);
          expectSame(Buffer.from(stored.body), Buffer.from(raw.body), 'the bytes that are kept');
          expectSame(stored.failure.cause, 'undecodable', 'the cause of an item that did not decode');
          assert.ok(stored.id.length > 0, 'it has an id to be found by');
          assert.ok(
            (await storeOf(session).findFailed(stored.id, session.queue)) !== null,
            'an item that did not decode is found by the id that it is listed with',
          );
        },
        { facilities: ['storeRaw'], holds: kind },
      ),
    ),
  failedCase(
    'bad items without an id are told apart',
    async (session) => {
      for (let index = 0; index < 3; index += 1) await session.storeRaw(rawItem({}, { id: undefined }));
      await session.gather(3);
      const ids = new Set((await listed(session)).map(({ id }) => id));
      expectSame(ids.size, 3, 'different ids of bad items');
    },
    { facilities: ['storeRaw'] },
  ),
  failedCase(
    'a stale fail keeps nothing',
    async (session) => {
      await session.push('a');
      const job = await session.take();
      await session.connection.settler.ack(job);
      await assert.rejects(() => session.connection.settler.fail(job, new Error('late')));
      expectSame(await listed(session), [], 'what is kept by a stale fail');
    },
    { fencedSettlement: true },
  ),
  failedCase(
    'a clear leaves failed jobs',
    async (session) => {
      await failNote(session, 'a');
      await session.push('b');
      expectSame(await session.clear(), 1, 'clear() counts no failed job');
      expectSame((await listed(session)).length, 1, 'failed jobs after a clear');
    },
    { clear: true },
  ),
];

const lists: readonly ConformanceCase[] = [
  indexedCase('failed jobs are listed newest first, each queue its own', async (session) => {
    const other = session.anotherQueue();
    const ids: string[] = [];
    for (const text of ['a', 'b', 'c']) {
      ids.unshift(await failNote(session, text));
      await session.pass(1);
    }
    await failNote(session, 'there', { queue: other });
    expectSame(
      (await listed(session)).map(({ id }) => id),
      ids,
      'ids of failed jobs, newest first',
    );
    await session.expectCounts({ failed: 1 }, 'the other queue', other);
  }),
  indexedCase('a list comes in pages that repeat and leave out nothing', async (session) => {
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) ids.unshift(await failNote(session, String(index)));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query = { queue: session.queue, limit: 3, ...(cursor === null ? {} : { cursor }) };
      const page = await storeOf(session).listFailed(query);
      assert.ok(page.jobs.length <= 3, 'a page holds at most its limit of 3');
      seen.push(...page.jobs.map(({ id }) => id));
      cursor = page.cursor;
    } while (cursor !== null);
    expectSame(seen, ids, 'ids over all pages, newest first');
  }),
  failedCase('what never failed is not found', async (session) => {
    const id = await session.push('a');
    expectSame(
      await storeOf(session).findFailed(id, session.queue),
      null,
      'a job that never failed among the failed ones',
    );
    expectSame(
      await storeOf(session).listFailed({ queue: session.queue, limit: 5 }),
      {
        jobs: [],
        cursor: null,
      },
      'the page of a queue where nothing failed',
    );
  }),
];

const byId: readonly ConformanceCase[] = [
  indexedCase('an id alone finds, retries and forgets a failed job', async (session) => {
    const [forgotten, retried] = [await failNote(session, 'a'), await failNote(session, 'b')];
    expectSame(
      (await storeOf(session).findFailed(forgotten))?.id,
      forgotten,
      'the failed job that an id alone finds',
    );
    expectSame(await storeOf(session).retryFailed(retried), 'retried', 'the retry of an id alone');
    expectSame(await storeOf(session).forgetFailed(forgotten), true, 'an id alone is forgotten');
  }),
];

const scans: readonly ConformanceCase[] = [
  scannedCase('failed jobs are read from the oldest on, without pages', async (session) => {
    const ids: string[] = [];
    for (const text of ['a', 'b', 'c', 'd']) ids.push(await failNote(session, text));
    const { jobs, cursor } = await storeOf(session).listFailed({ queue: session.queue, limit: 3 });
    expectSame(
      jobs.map(({ id }) => id),
      ids.slice(0, 3),
      'ids of failed jobs, oldest first',
    );
    expectSame(cursor, null, 'the cursor of a scan');
    expectSame((await listed(session)).length, 4, 'reading takes nothing out');
  }),
  scannedCase('what a scan cannot answer is refused above the backend', async (session) => {
    const failed = new FailedJobs(storeOf(session));
    const { queue } = session;
    for (const ask of [
      () => failed.list(),
      () => failed.list({ queue, cursor: '1' }),
      () => failed.list({ queue, limit: MAX_FAILED_SCAN + 1 }),
      () => failed.find('f'.repeat(32)),
      () => failed.retry('f'.repeat(32)),
      () => failed.retryAll(),
      () => failed.forget('f'.repeat(32)),
      () => failed.flush(),
    ]) {
      await assert.rejects(async () => ask(), InvalidQueueArgumentException);
    }
    expectSame(
      await failed.list({ queue, limit: MAX_FAILED_SCAN }),
      { jobs: [], cursor: null },
      'the page of a queue where nothing failed',
    );
  }),
  scannedCase('an id is looked for in its own queue only', async (session) => {
    const id = await failNote(session, 'a');
    const other = session.anotherQueue();
    expectSame(
      await storeOf(session).findFailed(id, other),
      null,
      'a failed job is found by the name of another queue',
    );
    expectSame(
      await storeOf(session).forgetFailed(id, other),
      false,
      'a failed job is forgotten by the name of another queue',
    );
    expectSame(
      await storeOf(session).retryFailed(id, other),
      'missing',
      'the retry of a failed job by the name of another queue',
    );
    expectSame(
      (await storeOf(session).findFailed(id, session.queue))?.id,
      id,
      'the failed job is still found on its own queue',
    );
  }),
];

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

export const failedCases: readonly ConformanceCase[] = [
  ...kept,
  ...lists,
  ...byId,
  ...scans,
  ...retries,
  ...removals,
];
