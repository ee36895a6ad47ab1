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
import { Note } from './jobs.js';
import { malformedKinds, rawItem } from './raw-items.js';
import { at, type Session, textOf } from './session.js';

const failedCase = concern('failed', { failedJobs: ['yes', 'scan'] });
const indexedCase = concern('failed', { failedJobs: 'yes' });
const scannedCase = concern('failed', { failedJobs: 'scan' });

function storeOf(session: Session): FailedJobsBackend {
  assert.ok(keepsFailedJobs(session.backend));
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
    assert.deepEqual([stored.id, stored.queue], [job.id, session.queue]);
    assert.deepEqual(JSON.parse(String(stored.body)), job.body);
    assert.equal(stored.header?.attempts, 1, 'the attempts that were completed before');
    const { cause, error, message, stack } = stored.failure;
    assert.deepEqual([cause, error, message], ['exhausted', 'TypeError', 'gone wrong']);
    assert.match(stack ?? '', /TypeError: gone wrong/);
    assert.ok(stored.failedAt.getTime() >= before - 1_000);
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
          assert.deepEqual(Buffer.from(stored.body), Buffer.from(raw.body));
          assert.equal(stored.failure.cause, 'undecodable');
          assert.ok(stored.id.length > 0, 'it has an id to be found by');
          assert.ok((await storeOf(session).findFailed(stored.id, session.queue)) !== null);
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
      assert.equal(ids.size, 3);
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
      assert.deepEqual(await listed(session), []);
    },
    { fencedSettlement: true },
  ),
  failedCase(
    'a clear leaves failed jobs',
    async (session) => {
      await failNote(session, 'a');
      await session.push('b');
      assert.equal(await session.clear(), 1);
      assert.equal((await listed(session)).length, 1);
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
    assert.deepEqual(
      (await listed(session)).map(({ id }) => id),
      ids,
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
      assert.ok(page.jobs.length <= 3);
      seen.push(...page.jobs.map(({ id }) => id));
      cursor = page.cursor;
    } while (cursor !== null);
    assert.deepEqual(seen, ids);
  }),
  failedCase('what never failed is not found', async (session) => {
    const id = await session.push('a');
    assert.equal(await storeOf(session).findFailed(id, session.queue), null);
    assert.deepEqual(await storeOf(session).listFailed({ queue: session.queue, limit: 5 }), {
      jobs: [],
      cursor: null,
    });
  }),
];

const byId: readonly ConformanceCase[] = [
  indexedCase('an id alone finds, retries and forgets a failed job', async (session) => {
    const [forgotten, retried] = [await failNote(session, 'a'), await failNote(session, 'b')];
    assert.equal((await storeOf(session).findFailed(forgotten))?.id, forgotten);
    assert.equal(await storeOf(session).retryFailed(retried), 'retried');
    assert.equal(await storeOf(session).forgetFailed(forgotten), true);
  }),
];

const scans: readonly ConformanceCase[] = [
  scannedCase('failed jobs are read from the oldest on, without pages', async (session) => {
    const ids: string[] = [];
    for (const text of ['a', 'b', 'c', 'd']) ids.push(await failNote(session, text));
    const { jobs, cursor } = await storeOf(session).listFailed({ queue: session.queue, limit: 3 });
    assert.deepEqual(
      jobs.map(({ id }) => id),
      ids.slice(0, 3),
    );
    assert.equal(cursor, null);
    assert.equal((await listed(session)).length, 4, 'reading takes nothing out');
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
    assert.deepEqual(await failed.list({ queue, limit: MAX_FAILED_SCAN }), { jobs: [], cursor: null });
  }),
  scannedCase('an id is looked for in its own queue only', async (session) => {
    const id = await failNote(session, 'a');
    const other = session.anotherQueue();
    assert.equal(await storeOf(session).findFailed(id, other), null);
    assert.equal(await storeOf(session).forgetFailed(id, other), false);
    assert.equal(await storeOf(session).retryFailed(id, other), 'missing');
    assert.equal((await storeOf(session).findFailed(id, session.queue))?.id, id);
  }),
];

const retries: readonly ConformanceCase[] = [
  failedCase('a retry starts over with the same job', async (session) => {
    await session.push('a', { priority: 0, maxAttempts: 3 });
    await session.connection.settler.release(await session.take());
    await session.connection.settler.defer(await session.take());
    const job = await session.take();
    await session.connection.settler.fail(job, new Error('no'));
    assert.equal(await storeOf(session).retryFailed(job.id, session.queue), 'retried');
    await session.expectCounts({ ready: 1, failed: 0 });
    const again = await session.take();
    assert.deepEqual(again.body, job.body);
    assert.deepEqual([again.attempts, again.deferrals, again.header.graceRounds], [1, 0, 0]);
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
      assert.deepEqual((await session.takeMany(2)).map(textOf), ['plain', 'low']);
    },
    { priorityLevels: 'full' },
  ),
  failedCase('a retry of what is not there is missing, and so is a second one', async (session) => {
    assert.equal(await storeOf(session).retryFailed('f'.repeat(32), session.queue), 'missing');
    const id = await failNote(session, 'a');
    assert.equal(await storeOf(session).retryFailed(id, session.queue), 'retried');
    assert.equal(await storeOf(session).retryFailed(id, session.queue), 'missing');
    await session.expectCounts({ ready: 1 }, 'it came back once');
  }),
  failedCase('a retry of all brings back one queue’s jobs', async (session) => {
    const other = session.anotherQueue();
    for (const text of ['a', 'b', 'c']) await failNote(session, text);
    await failNote(session, 'there', { queue: other });
    const result = await storeOf(session).retryAllFailed(session.queue);
    assert.deepEqual({ ...result }, { retried: 3, duplicates: 0 });
    assert.equal((await session.takeMany(3)).length, 3);
    await session.expectCounts({ ready: 0, failed: 1 }, 'the other queue', other);
  }),
  failedCase(
    'a retry whose unique key is held by another job is a duplicate and stays',
    async (session) => {
      const options = { queue: session.queue, uniqueKey: 'k' };
      const id = await session.api.push(new Note('first'), options);
      await session.connection.settler.fail(await session.take(), new Error('no'));
      await session.api.push(new Note('second'), options);
      assert.equal(await storeOf(session).retryFailed(String(id), session.queue), 'duplicate');
      await session.expectCounts({ ready: 1, failed: 1 });
      await session.connection.settler.ack(await session.take());
      assert.equal(await storeOf(session).retryFailed(String(id), session.queue), 'retried');
      assert.equal(await session.api.push(new Note('third'), options), null, 'it holds its key again');
    },
    { unique: true },
  ),
];

const removals: readonly ConformanceCase[] = [
  failedCase('a failed job that is forgotten is gone', async (session) => {
    const id = await failNote(session, 'a');
    await failNote(session, 'b');
    assert.equal(await storeOf(session).forgetFailed(id, session.queue), true);
    assert.equal(await storeOf(session).forgetFailed(id, session.queue), false);
    assert.equal(await storeOf(session).findFailed(id, session.queue), null);
    await session.expectCounts({ ready: 0, failed: 1 });
  }),
  failedCase('a flush empties one queue’s failed jobs and counts them', async (session) => {
    const other = session.anotherQueue();
    for (const text of ['a', 'b']) await failNote(session, text);
    await failNote(session, 'there', { queue: other });
    assert.equal(await storeOf(session).flushFailed(session.queue), 2);
    assert.equal(await storeOf(session).flushFailed(session.queue), 0);
    assert.deepEqual(await listed(session), []);
    await session.expectCounts({ failed: 1 }, 'the other queue', other);
  }),
  failedCase(
    'another process sees the same failed jobs',
    async (session) => {
      const id = await failNote(session, 'a');
      const { backend } = await session.second();
      assert.ok(keepsFailedJobs(backend));
      assert.equal((await backend.findFailed(id, session.queue))?.queue, session.queue);
      assert.equal(await backend.retryFailed(id, session.queue), 'retried');
      assert.equal((await session.take()).id, id);
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
