import assert from 'node:assert/strict';
import { canPause, missingMethods, QueueNotConsumableException } from '../../contract/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import { textOf, textsOf } from './session.js';

const backendCase = concern('backend');
const anyBackendCase = concern('backend', { delivers: [true, false] });

const facts: readonly ConformanceCase[] = [
  anyBackendCase('says the same of itself as its harness does', async (session) => {
    expectSame(
      { ...session.backend.capabilities },
      { ...session.harness.capabilities },
      'the capabilities of the opened backend',
    );
  }),
  anyBackendCase('has a driver name', async (session) => {
    assert.match(session.backend.driver, /^[a-z][a-z0-9-]*$/);
  }),
  anyBackendCase('has the methods that its capabilities promise', async (session) => {
    expectSame(missingMethods(session.backend), [], 'a method that was promised is missing');
  }),
  anyBackendCase('connects, and again', async (session) => {
    await session.backend.connect();
    await session.backend.connect();
  }),
  anyBackendCase('closes, and again', async (session) => {
    await session.backend.close();
    await session.backend.close();
  }),
  backendCase('answers one outcome an entry, in order', async (session) => {
    await session.pushAll(['a', 'b', 'c']);
    const items = await session.items(3);
    const settlements = items.map(({ receipt }) => ({ operation: 'ack', receipt, followUps: [] }) as const);
    expectSame((await session.backend.settle(settlements)).length, 3, 'how many outcomes settle() answers');
  }),
  backendCase('names the queue that was asked for and the lease that was given', async (session) => {
    await session.push('a');
    const item = await session.item();
    expectSame(item.queue, session.queue, 'the queue that a reserved item names');
    expectSame(
      item.leaseSeconds,
      session.backend.capabilities.extend ? session.leaseSeconds : null,
      'the lease that a reserved item got',
    );
  }),
  backendCase('a wait ends by its bound', async (session) => {
    const options = { timeoutMs: 50, limit: 1, signal: new AbortController().signal };
    expectSame(
      await session.backend.waitForWork([session.queue], options),
      [],
      'what a wait without work hands out',
    );
  }),
  backendCase('a wait ends at once when its signal was aborted before', async (session) => {
    const options = { timeoutMs: 600_000, limit: 1, signal: AbortSignal.abort() };
    expectSame(
      await session.backend.waitForWork([session.queue], options),
      [],
      'what an aborted wait hands out',
    );
  }),
  backendCase('a wait takes no longer for work on a queue that nobody asked for', async (session) => {
    const options = { timeoutMs: 50, limit: 1, signal: new AbortController().signal };
    const waiting = session.backend.waitForWork([session.queue], options);
    const other = session.anotherQueue();
    await session.push('there', { queue: other });
    expectSame(await waiting, [], 'what the wait hands out');
    expectSame(
      textOf(await session.take(other)),
      'there',
      'the job on the other queue is left for who asks for it',
    );
  }),
];

const pausing: readonly ConformanceCase[] = [
  concern('pause', { pause: true })(
    'nothing is reserved from a paused queue; the rest goes on',
    async (session) => {
      assert.ok(canPause(session.backend), 'a backend that claims pause can pause');
      await session.pushAll(['held', 'a']);
      const held = await session.take();
      await session.backend.pauseQueue(session.queue);
      await session.expectNothing('it is paused');
      await session.push('b');
      await session.connection.settler.release(held);
      await session.expectCounts({ ready: 3, reserved: 0, paused: true });
      await session.expectNothing('it is still paused');
      await session.backend.resumeQueue(session.queue);
      await session.expectCounts({ ready: 3, paused: false });
      expectSame((await session.takeMany(3)).length, 3, 'jobs that come after the pause');
    },
  ),
  concern('pause', { pause: true })('other queues of the list go on', async (session) => {
    assert.ok(canPause(session.backend), 'a backend that claims pause can pause');
    const other = session.anotherQueue();
    await session.push('paused');
    await session.push('running', { queue: other });
    await session.backend.pauseQueue(session.queue);
    expectSame(
      textsOf(await session.gather(1, [session.queue, other])),
      ['running'],
      'what a sweep over a paused and a running queue gives',
    );
    await session.expectCounts({ paused: false }, 'only the one is paused', other);
    await session.backend.resumeQueue(session.queue);
  }),
  concern('pause', { pause: true })('pausing and resuming twice is the same as once', async (session) => {
    assert.ok(canPause(session.backend), 'a backend that claims pause can pause');
    await session.push('a');
    await session.backend.resumeQueue(session.queue);
    await session.backend.pauseQueue(session.queue);
    await session.backend.pauseQueue(session.queue);
    await session.backend.resumeQueue(session.queue);
    expectSame(textOf(await session.take()), 'a', 'the job that comes after the pause');
  }),
  concern('pause', { pause: true, extend: true })(
    'a lease that ends and a delay that ends bring nothing out of a paused queue',
    async (session) => {
      assert.ok(canPause(session.backend), 'a backend that claims pause can pause');
      await session.push('lost');
      await session.take();
      await session.push('due', { delaySeconds: session.delaySeconds });
      await session.backend.pauseQueue(session.queue);
      await session.expireLease();
      await session.expectNothing('it is paused');
      await session.expectCounts({ ready: 2, delayed: 0, reserved: 0, paused: true });
      await session.backend.resumeQueue(session.queue);
      expectSame((await session.takeMany(2)).length, 2, 'jobs that come after the pause');
    },
  ),
  concern('pause', { pause: true, facilities: ['second'] })(
    'a pause holds for every process',
    async (session) => {
      assert.ok(canPause(session.backend), 'a backend that claims pause can pause');
      const other = await session.second();
      await session.push('a');
      await session.backend.pauseQueue(session.queue);
      expectSame(
        await other.reserve([session.queue], 1),
        [],
        'what another process gets from a paused queue',
      );
      expectSame((await other.counts(session.queue)).paused, true, 'another process sees the pause');
      await session.backend.resumeQueue(session.queue);
      expectSame((await session.rest(1, other)).length, 1, 'jobs that another process gets after the pause');
    },
  ),
];

const lifetime: readonly ConformanceCase[] = [
  backendCase(
    'jobs and reservations outlive the backend that made them',
    async (session) => {
      const other = await session.second();
      await session.pushAll(['held', 'ready']);
      await session.take();
      await session.backend.close();
      expectSame(
        textsOf(await session.rest(5, other)),
        ['ready'],
        'what another process finds beside the reservation',
      );
      await session.expireLease();
      const again = textsOf(await session.rest(5, other));
      assert.ok(again.includes('held'), 'the reservation came back when its lease ended');
    },
    { durable: true, facilities: ['second'], extend: true },
  ),
];

const withoutDeliveries: readonly ConformanceCase[] = [
  anyBackendCase(
    'hands out nothing where a push runs the job itself',
    async (session) => {
      const { signal } = new AbortController();
      await assert.rejects(
        async () => session.connection.pop(1, [session.queue], signal),
        QueueNotConsumableException,
      );
      await assert.rejects(() => session.connection.reserve([session.queue], 1), QueueNotConsumableException);
      await session.expectCounts({ ready: 0, oldestReadySeconds: null });
    },
    { delivers: false },
  ),
];

export const backendCases: readonly ConformanceCase[] = [
  ...facts,
  ...pausing,
  ...lifetime,
  ...withoutDeliveries,
];
