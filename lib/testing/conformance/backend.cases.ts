import assert from 'node:assert/strict';
import { canPause, missingMethods, QueueNotConsumableException } from '../../contract/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { textOf, textsOf } from './session.js';

const backendCase = concern('backend');
const anyBackendCase = concern('backend', { delivers: [true, false] });

const facts: readonly ConformanceCase[] = [
  anyBackendCase('says the same of itself as its harness does', async (session) => {
    assert.deepEqual({ ...session.backend.capabilities }, { ...session.harness.capabilities });
  }),
  anyBackendCase('has a driver name', async (session) => {
    assert.match(session.backend.driver, /^[a-z][a-z0-9-]*$/);
  }),
  anyBackendCase('has the methods that its capabilities promise', async (session) => {
    assert.deepEqual(missingMethods(session.backend), [], 'a method that was promised is missing');
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
    assert.equal((await session.backend.settle(settlements)).length, 3);
  }),
  backendCase('names the queue that was asked for and the lease that was given', async (session) => {
    await session.push('a');
    const [item] = await session.backend.reserve([session.queue], 1);
    assert.equal(item?.queue, session.queue);
    assert.equal(item?.leaseSeconds, session.backend.capabilities.extend ? session.leaseSeconds : null);
  }),
  backendCase('a wait ends by its bound', async (session) => {
    const options = { timeoutMs: 50, limit: 1, signal: new AbortController().signal };
    assert.deepEqual(await session.backend.waitForWork([session.queue], options), []);
  }),
  backendCase('a wait ends at once when its signal was aborted before', async (session) => {
    const options = { timeoutMs: 600_000, limit: 1, signal: AbortSignal.abort() };
    assert.deepEqual(await session.backend.waitForWork([session.queue], options), []);
  }),
  backendCase('a wait takes no longer for work on a queue that nobody asked for', async (session) => {
    const options = { timeoutMs: 50, limit: 1, signal: new AbortController().signal };
    const waiting = session.backend.waitForWork([session.queue], options);
    const other = session.anotherQueue();
    await session.push('there', { queue: other });
    assert.deepEqual(await waiting, []);
    assert.equal(textOf(await session.take(other)), 'there');
  }),
];

const pausing: readonly ConformanceCase[] = [
  concern('pause', { pause: true })(
    'nothing is reserved from a paused queue; the rest goes on',
    async (session) => {
      assert.ok(canPause(session.backend));
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
      assert.equal((await session.takeMany(3)).length, 3);
    },
  ),
  concern('pause', { pause: true })('other queues of the list go on', async (session) => {
    assert.ok(canPause(session.backend));
    const other = session.anotherQueue();
    await session.push('paused');
    await session.push('running', { queue: other });
    await session.backend.pauseQueue(session.queue);
    assert.deepEqual(textsOf(await session.connection.reserve([session.queue, other], 5)), ['running']);
    await session.expectCounts({ paused: false }, 'only the one is paused', other);
    await session.backend.resumeQueue(session.queue);
  }),
  concern('pause', { pause: true })('pausing and resuming twice is the same as once', async (session) => {
    assert.ok(canPause(session.backend));
    await session.push('a');
    await session.backend.resumeQueue(session.queue);
    await session.backend.pauseQueue(session.queue);
    await session.backend.pauseQueue(session.queue);
    await session.backend.resumeQueue(session.queue);
    assert.equal(textOf(await session.take()), 'a');
  }),
  concern('pause', { pause: true, extend: true })(
    'a lease that ends and a delay that ends bring nothing out of a paused queue',
    async (session) => {
      assert.ok(canPause(session.backend));
      await session.push('lost');
      await session.take();
      await session.push('due', { delaySeconds: session.delaySeconds });
      await session.backend.pauseQueue(session.queue);
      await session.expireLease();
      await session.expectNothing('it is paused');
      await session.expectCounts({ ready: 2, delayed: 0, reserved: 0, paused: true });
      await session.backend.resumeQueue(session.queue);
      assert.equal((await session.takeMany(2)).length, 2);
    },
  ),
  concern('pause', { pause: true, facilities: ['second'] })(
    'a pause holds for every process',
    async (session) => {
      assert.ok(canPause(session.backend));
      const other = await session.second();
      await session.push('a');
      await session.backend.pauseQueue(session.queue);
      assert.deepEqual(await other.reserve([session.queue], 1), []);
      assert.equal((await other.counts(session.queue)).paused, true);
      await session.backend.resumeQueue(session.queue);
      assert.equal((await other.reserve([session.queue], 1)).length, 1);
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
      assert.deepEqual(textsOf(await other.reserve([session.queue], 5)), ['ready']);
      await session.expireLease();
      const again = textsOf(await other.reserve([session.queue], 5));
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
