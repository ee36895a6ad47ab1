import assert from 'node:assert/strict';
import { InvalidQueueArgumentException } from '../../contract/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import { Note } from './jobs.js';
import { jobsOf, textOf } from './session.js';

const delayCase = concern('delays');
const YEAR = 365 * 86_400;

/** Delays that only an injected clock can wait for; looked at shortly before and after their end. */
const lengths: readonly number[] = [2, 2.9, 59, 3_600, 86_400, 30 * 86_400, YEAR, 30 * YEAR, 1e10];

const floors: readonly ConformanceCase[] = [
  ...lengths.map((delaySeconds) =>
    delayCase(
      `a delay of ${delaySeconds} s is a floor`,
      async (session) => {
        const end = session.now + delaySeconds;
        await session.push('later', { delaySeconds });
        await session.expectNothingBefore(end, 'not at once');
        await session.pass(Math.ceil(delaySeconds) - 1);
        if (!(await session.expectNothingBefore(end, 'not a moment before it is over'))) return;
        await session.pass(1 + session.slackSeconds);
        expectSame(textOf(await session.take()), 'later', 'the job that comes after its delay');
      },
      { facilities: ['clock'], maxPushDelaySeconds: delaySeconds, delayGranularitySeconds: 1 },
    ),
  ),
  delayCase('a delayed job comes when its delay is over, and not before', async (session) => {
    await session.push('later', { delaySeconds: session.delaySeconds });
    await session.expectNothing('not at once');
    await session.pass(session.delaySeconds + session.slackSeconds);
    const job = await session.take();
    expectSame(textOf(job), 'later', 'the job that comes after its delay');
    expectSame(job.attempts, 1, 'waiting spends no attempt');
  }),
  delayCase('the smallest fraction of a second is a delay too', async (session) => {
    await session.push('soon', { delaySeconds: 0.000_001 });
    await session.pass(session.slackSeconds);
    expectSame(textOf(await session.take()), 'soon', 'the job that comes after its delay');
  }),
  delayCase('a delay of 0 is none', async (session) => {
    await session.push('now', { delaySeconds: 0 });
    await session.expectCounts({ ready: 1 });
    expectSame(textOf(await session.take()), 'now', 'the job that comes at once');
  }),
  delayCase('a released job waits for its delay', async (session) => {
    await session.push('a');
    await session.connection.settler.release(await session.take(), { delaySeconds: session.delaySeconds });
    await session.expectNothing('not at once');
    await session.pass(session.delaySeconds + session.slackSeconds);
    expectSame((await session.take()).attempts, 2, 'attempts after a release');
  }),
  delayCase('a deferred job waits for its delay', async (session) => {
    await session.push('a');
    await session.connection.settler.defer(await session.take(), { delaySeconds: session.delaySeconds });
    await session.expectNothing('not at once');
    await session.pass(session.delaySeconds + session.slackSeconds);
    const job = await session.take();
    if (session.backend.capabilities.freeDeferral)
      expectSame([job.attempts, job.deferrals], [1, 1], 'attempts and deferrals after a deferral');
    else expectSame(job.attempts, 2, 'every delivery is an attempt');
  }),
  delayCase(
    'a delay outlasts the lease of the delivery that asked for it',
    async (session) => {
      await session.push('a');
      const delaySeconds = session.leaseSeconds * 3;
      await session.connection.settler.release(await session.take(), { delaySeconds });
      await session.expireLease();
      await session.expectNothing('the old lease brings nothing back');
      await session.pass(delaySeconds);
      expectSame((await session.take()).attempts, 2, 'attempts after a release');
    },
    { maxReleaseDelaySeconds: 1_800, facilities: ['clock'] },
  ),
];

const promotion: readonly ConformanceCase[] = [
  delayCase('delays end independently of the order of pushes', async (session) => {
    const unit = session.delaySeconds;
    await session.push('long', { delaySeconds: unit * 3 });
    await session.push('short', { delaySeconds: unit });
    await session.pass(unit + session.slackSeconds);
    const short = await session.take();
    expectSame(textOf(short), 'short', 'the job with the shorter delay comes first');
    await session.connection.settler.ack(short);
    await session.expectNothing('the longer delay goes on');
    await session.pass(unit * 2);
    expectSame(textOf(await session.take()), 'long', 'the job with the longer delay comes later');
  }),
  delayCase('of many jobs that fall due together none is lost', async (session) => {
    const count = 230;
    await session.api.pushMany(
      Array.from({ length: count }, (_, index) => ({
        job: new Note(String(index)),
        queue: session.queue,
        delaySeconds: session.delaySeconds,
      })),
    );
    await session.expectNothing('not before');
    await session.pass(session.delaySeconds + session.slackSeconds);
    const seen = new Set((await session.takeMany(count)).map(textOf));
    expectSame(seen.size, count, 'how many of the due jobs came');
    await session.expectNothing('each came once');
  }),
  delayCase('a due job and jobs pushed later are all found', async (session) => {
    await session.push('due', { delaySeconds: session.delaySeconds });
    await session.pushAll(['a', 'b']);
    await session.pass(session.delaySeconds + session.slackSeconds);
    const texts = (await session.takeMany(3)).map(textOf);
    expectSame(texts.toSorted(), ['a', 'b', 'due'], 'all jobs that are due or ready by now');
  }),
  delayCase('a due job on one queue is found behind an empty one', async (session) => {
    const empty = session.anotherQueue();
    await session.push('due', { delaySeconds: session.delaySeconds });
    await session.pass(session.delaySeconds + session.slackSeconds);
    const [job] = jobsOf(await session.gather(1, [empty, session.queue]));
    expectSame(
      job === undefined ? undefined : textOf(job),
      'due',
      'the due job on the second queue of the list',
    );
  }),
  delayCase(
    'another process sees the delay as this one does',
    async (session) => {
      const other = await session.second();
      await session.push('later', { delaySeconds: session.delaySeconds });
      expectSame(
        await other.reserve([session.queue], 1),
        [],
        'what another process gets before the delay is over',
      );
      await session.pass(session.delaySeconds + session.slackSeconds);
      expectSame(
        jobsOf(await session.rest(1, other)).length,
        1,
        'jobs that another process gets after the delay',
      );
    },
    { facilities: ['second'] },
  ),
];

/** A backend with a bound says so; the suite cannot write the bound down, so it asks. */
const bounds: readonly ConformanceCase[] = [
  delayCase('a delay above the backend’s longest is refused and nothing is stored', async (session) => {
    const longest = session.backend.capabilities.maxPushDelaySeconds;
    if (longest === Infinity) {
      await session.push('far', { delaySeconds: YEAR * 100 });
      await session.expectCounts({ ready: 0 });
      return;
    }
    await assert.rejects(
      () => session.push('far', { delaySeconds: longest + 1 }),
      InvalidQueueArgumentException,
    );
    await session.expectNothing('nothing was stored');
  }),
];

export const delayCases: readonly ConformanceCase[] = [...floors, ...promotion, ...bounds];
