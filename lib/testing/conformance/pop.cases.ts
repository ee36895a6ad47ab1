import assert from 'node:assert/strict';
import { InvalidQueueArgumentException, type QueuedJob } from '../../contract/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import { type Session, textOf } from './session.js';

const popCase = concern('pop');

/** A `pop()` that is waiting; `ended` turns true when it has answered. */
interface Waiting {
  readonly answer: Promise<QueuedJob | null>;
  readonly ended: () => boolean;
  readonly abort: () => void;
}

function waitingPop(session: Session, timeoutSeconds: number, queues = [session.queue]): Waiting {
  const controller = new AbortController();
  let ended = false;
  const answer = session.connection.pop(timeoutSeconds, queues, controller.signal).finally(() => {
    ended = true;
  });
  return { answer, ended: () => ended, abort: () => controller.abort() };
}

/** Lets a pop get past its first, empty sweep: it has asked the backend at least once when this resolves. */
async function untilWaiting(session: Session): Promise<void> {
  await session.counts();
  await session.expectNothing('the queue is empty while pop() waits');
}

const timeouts: readonly ConformanceCase[] = [
  ...[-1, -0.001, Number.NaN, Infinity, '5', null].map((timeout) =>
    popCase(`a timeout of ${typeof timeout === 'string' ? 'text' : timeout} is refused`, async (session) => {
      await session.push('untouched');
      const { signal } = new AbortController();
      await assert.rejects(
        () => session.connection.pop(timeout as number, [session.queue], signal),
        InvalidQueueArgumentException,
      );
      expectSame((await session.take()).attempts, 1, 'nothing was reserved');
    }),
  ),
  popCase('a positive timeout looks that long and then answers null', async (session) => {
    const before = performance.now();
    expectSame(
      await waitingPop(session, 0.25).answer,
      null,
      'what pop() of an empty queue answers when its time is over',
    );
    // Timers may fire up to a millisecond early.
    assert.ok(performance.now() - before >= 249, 'it did not give up before its deadline');
  }),
  popCase('a job that waits is returned whatever the timeout', async (session) => {
    for (const [timeout, text] of [
      [0, 'a'],
      [5, 'b'],
    ] as const) {
      await session.push(text);
      const job = await waitingPop(session, timeout).answer;
      expectSame(job === null ? null : textOf(job), text, 'the job that waited');
    }
  }),
  popCase('a timeout of 0 waits until a job comes', async (session) => {
    const pop = waitingPop(session, 0);
    await untilWaiting(session);
    expectSame(pop.ended(), false, 'it waits');
    const id = await session.push('late');
    expectSame((await pop.answer)?.id, id, 'the job that was pushed during the wait');
  }),
  popCase('a push during a wait ends it', async (session) => {
    const pop = waitingPop(session, 20);
    await untilWaiting(session);
    const id = await session.push('late');
    expectSame((await pop.answer)?.id, id, 'the job that was pushed during the wait');
  }),
  popCase('a release during a wait ends it', async (session) => {
    await session.push('a');
    const held = await session.take();
    const pop = waitingPop(session, 20);
    await untilWaiting(session);
    await session.connection.settler.release(held);
    expectSame((await pop.answer)?.attempts, 2, 'attempts of the job that was released during the wait');
  }),
  popCase('a job that falls due during a wait is found', async (session) => {
    await session.push('a', { delaySeconds: session.delaySeconds });
    const pop = waitingPop(session, 60);
    await untilWaiting(session);
    await session.pass(session.delaySeconds + session.slackSeconds);
    const job = await pop.answer;
    expectSame(job === null ? null : textOf(job), 'a', 'the job that fell due during the wait');
  }),
  popCase(
    'a lease that ends during a wait is found',
    async (session) => {
      await session.push('a');
      await session.take();
      const pop = waitingPop(session, 60);
      await untilWaiting(session);
      await session.expireLease();
      expectSame((await pop.answer)?.attempts, 2, 'attempts of the job whose lease ended during the wait');
    },
    { extend: true, countsCrashes: true },
  ),
  popCase(
    'a push by another process is found by a waiting pop',
    async (session) => {
      const other = await session.second();
      const controller = new AbortController();
      const answer = other.pop(20, [session.queue], controller.signal);
      await untilWaiting(session);
      const id = await session.push('late');
      expectSame((await answer)?.id, id, 'the job that was pushed during the wait of another process');
    },
    { facilities: ['second'] },
  ),
];

const signals: readonly ConformanceCase[] = [
  popCase('a signal that is aborted already gives null and takes nothing', async (session) => {
    await session.push('untouched');
    for (const timeout of [0, 5]) {
      const pop = await session.connection.pop(timeout, [session.queue], AbortSignal.abort());
      expectSame(pop, null, 'what an aborted pop() answers');
    }
    expectSame((await session.take()).attempts, 1, 'attempts of a job that an aborted pop() left');
  }),
  ...[0, 60].map((timeout) =>
    popCase(`an abort ends a wait with timeout ${timeout}, and the next job is left`, async (session) => {
      const pop = waitingPop(session, timeout);
      await untilWaiting(session);
      pop.abort();
      expectSame(await pop.answer, null, 'what an aborted pop() answers');
      const id = await session.push('for the next one');
      expectSame((await session.take()).id, id, 'the job that was pushed after the abort is left');
    }),
  ),
  popCase('an abort that races a push never loses the job', async (session) => {
    for (let round = 0; round < 20; round += 1) {
      const pop = waitingPop(session, 30);
      if (round % 2 === 0) await untilWaiting(session);
      const push = session.push(`round ${round}`);
      pop.abort();
      const [id, popped] = await Promise.all([push, pop.answer]);
      const job = popped ?? (await session.take());
      expectSame(job.id, id, 'the job was returned, or it is still there');
      expectSame(job.attempts, 1, 'attempts of a job that raced an abort');
      await session.connection.settler.ack(job);
    }
  }),
];

const several: readonly ConformanceCase[] = [
  popCase('one job ends one of two waits', async (session) => {
    const pops = [waitingPop(session, 30), waitingPop(session, 30)];
    await untilWaiting(session);
    const first = await session.push('first');
    const winner = await Promise.race(pops.map((pop) => pop.answer));
    expectSame(winner?.id, first, 'the job that ended one of two waits');
    const second = await session.push('second');
    const jobs = await Promise.all(pops.map((pop) => pop.answer));
    expectSame(
      new Set(jobs.map((job) => job?.id)),
      new Set([first, second]),
      'jobs that ended the two waits',
    );
  }),
  popCase('pop() takes one job and leaves the rest', async (session) => {
    await session.pushAll(['a', 'b', 'c']);
    assert.ok(await waitingPop(session, 5).answer, 'pop() takes a job that is there');
    await session.expectCounts({ ready: 2 });
  }),
  popCase('a later queue of the list is looked at before any wait', async (session) => {
    const other = session.anotherQueue();
    await session.push('there', { queue: other });
    const job = await waitingPop(session, 30, [session.queue, other]).answer;
    expectSame(job?.queue, other, 'the queue of the job that pop() found');
  }),
  popCase('a job that comes to a later queue during the wait is found', async (session) => {
    const other = session.anotherQueue();
    const pop = waitingPop(session, 30, [session.queue, other]);
    await untilWaiting(session);
    const id = await session.push('there', { queue: other });
    expectSame((await pop.answer)?.id, id, 'the job that came to a later queue during the wait');
  }),
];

export const popCases: readonly ConformanceCase[] = [...timeouts, ...signals, ...several];
