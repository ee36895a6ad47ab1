import assert from 'node:assert/strict';
import { type BrowsingBackend, canBrowse, type JobState } from '../../contract/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import { Note } from './jobs.js';
import { rawItem } from './raw-items.js';
import { type Session, textOf } from './session.js';

const browseCase = concern('browse', { browse: true });

function browserOf(session: Session): BrowsingBackend {
  assert.ok(canBrowse(session.backend), 'a backend that claims browse can browse');
  return session.backend;
}

async function idsIn(session: Session, state: JobState): Promise<string[]> {
  const { jobs } = await browserOf(session).listJobs({ queue: session.queue, state, limit: 1_000 });
  for (const job of jobs) expectSame(job.state, state, 'a listed job is in the state that was asked for');
  return jobs.map(({ id }) => id).toSorted();
}

const looks: readonly ConformanceCase[] = [
  browseCase('jobs are listed by their state, by time', async (session) => {
    const held = await session.push('held');
    await session.take();
    const ready = await session.push('ready');
    const delayed = await session.push('delayed', { delaySeconds: session.delaySeconds });
    await session.push('elsewhere', { queue: session.anotherQueue() });
    expectSame(await idsIn(session, 'ready'), [ready], 'ids of ready jobs');
    expectSame(await idsIn(session, 'delayed'), [delayed], 'ids of delayed jobs');
    expectSame(await idsIn(session, 'reserved'), [held], 'ids of reserved jobs');
    await session.pass(session.delaySeconds + session.slackSeconds);
    expectSame(await idsIn(session, 'ready'), [ready, delayed].toSorted(), 'due');
    if (!session.backend.capabilities.extend) return;
    await session.expireLease();
    expectSame(await idsIn(session, 'ready'), [held, ready, delayed].toSorted(), 'expired');
    expectSame(await idsIn(session, 'reserved'), [], 'ids of reserved jobs after their leases ended');
  }),
  browseCase('a list comes in pages that repeat and leave out nothing', async (session) => {
    const ids = await session.pushAll([...'abcdefg']);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query = { queue: session.queue, state: 'ready', limit: 3 } as const;
      const page = await browserOf(session).listJobs(cursor === null ? query : { ...query, cursor });
      assert.ok(page.jobs.length <= 3, 'a page holds at most its limit of 3');
      seen.push(...page.jobs.map(({ id }) => id));
      cursor = page.cursor;
    } while (cursor !== null);
    expectSame(seen.toSorted(), ids.toSorted(), 'ids over all pages');
  }),
  browseCase('a job is found by its id, as it is stored', async (session) => {
    const id = await session.push('a', { delaySeconds: session.delaySeconds });
    const found = await browserOf(session).findJob(session.queue, id);
    assert.ok(found !== null, 'a waiting job is found by its id');
    expectSame(
      [found.id, found.queue, found.state],
      [id, session.queue, 'delayed'],
      'id, queue and state of the job that was found',
    );
    expectSame(
      JSON.parse(String(found.body)).args.text,
      'a',
      'the body that was found is the one that was pushed',
    );
    expectSame(found.header?.attempts, 0, 'attempts of a job that was never delivered');
    assert.ok(found.dueAt !== null, 'a delayed job says when it is due');
  }),
  browseCase('what is not there is not found', async (session) => {
    const id = await session.push('a');
    expectSame(
      await browserOf(session).findJob(session.queue, 'f'.repeat(32)),
      null,
      'an id that nobody has',
    );
    expectSame(
      await browserOf(session).findJob(session.anotherQueue(), id),
      null,
      'an id on a queue that does not hold it',
    );
  }),
  browseCase('looking changes nothing', async (session) => {
    const id = await session.push('a');
    await browserOf(session).findJob(session.queue, id);
    await idsIn(session, 'ready');
    await session.expectCounts({ ready: 1, reserved: 0 });
    expectSame((await session.take()).attempts, 1, 'attempts after looking only');
  }),
  browseCase(
    'an item that is no job is shown as it is',
    async (session) => {
      const raw = rawItem({}, { class: '' });
      await session.storeRaw(raw);
      const { jobs } = await browserOf(session).listJobs({ queue: session.queue, state: 'ready', limit: 5 });
      expectSame(
        jobs.map(({ body }) => String(body)),
        [raw.body],
        'bodies of what is listed',
      );
    },
    { facilities: ['storeRaw'] },
  ),
];

const changes: readonly ConformanceCase[] = [
  browseCase('a ready or delayed job that is removed is gone', async (session) => {
    const ready = await session.push('ready');
    const delayed = await session.push('delayed', { delaySeconds: session.delaySeconds });
    await session.push('kept');
    for (const id of [ready, delayed]) {
      expectSame(await browserOf(session).removeJob(session.queue, id), true, 'a waiting job is removed');
      expectSame(await browserOf(session).removeJob(session.queue, id), false, 'a second time');
    }
    await session.pass(session.delaySeconds + session.slackSeconds);
    expectSame(textOf(await session.take()), 'kept', 'the job that was not removed');
    await session.expectNothing('the others are gone');
  }),
  browseCase('a reserved job is not removed', async (session) => {
    const id = await session.push('held');
    const job = await session.take();
    expectSame(await browserOf(session).removeJob(session.queue, id), false, 'a reserved job is removed');
    await session.connection.settler.ack(job);
  }),
  browseCase('a job is not removed by the name of another queue', async (session) => {
    const id = await session.push('a');
    expectSame(
      await browserOf(session).removeJob(session.anotherQueue(), id),
      false,
      'a job is removed by the name of another queue',
    );
    expectSame((await session.take()).id, id, 'the job is still there');
  }),
  browseCase(
    'a removal frees the unique key',
    async (session) => {
      const options = { queue: session.queue, uniqueKey: 'k' };
      const id = await session.api.push(new Note('a'), options);
      await browserOf(session).removeJob(session.queue, String(id));
      assert.notEqual(await session.api.push(new Note('b'), options), null);
    },
    { unique: true },
  ),
  browseCase('a delayed job that is promoted is ready now', async (session) => {
    const id = await session.push('a', { delaySeconds: session.delaySeconds });
    expectSame(await browserOf(session).promoteJob(session.queue, id), true, 'a delayed job is promoted');
    await session.expectCounts({ ready: 1, delayed: 0 });
    const job = await session.take();
    expectSame([job.id, job.attempts], [id, 1], 'id and attempts of the promoted job');
  }),
  browseCase('only a delayed job is promoted', async (session) => {
    const held = await session.push('held');
    await session.take();
    const ready = await session.push('ready');
    for (const id of [held, ready, 'f'.repeat(32)]) {
      expectSame(
        await browserOf(session).promoteJob(session.queue, id),
        false,
        'a job that is not delayed is promoted',
      );
    }
    await session.expectCounts({ ready: 1, reserved: 1 });
  }),
];

export const browseCases: readonly ConformanceCase[] = [...looks, ...changes];
