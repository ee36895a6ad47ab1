import assert from 'node:assert/strict';
import { InvalidQueueArgumentException, MAX_FAILED_SCAN } from '../../contract/index.js';
import { FailedJobs } from '../../queue/index.js';
import type { ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import { failedCase, failNote, indexedCase, listed, scannedCase, storeOf } from './failed-jobs.support.js';
import { failedRetryCases } from './failed-retry.cases.js';
import { malformedKinds, rawItem } from './raw-items.js';
import { at } from './session.js';

/** By which the clock of a server may differ from that of the tests, in milliseconds. */
const SKEW_MS = 60_000;

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

export const failedCases: readonly ConformanceCase[] = [
  ...kept,
  ...lists,
  ...byId,
  ...scans,
  ...failedRetryCases,
];
