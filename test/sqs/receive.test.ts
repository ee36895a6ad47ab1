import { describe, expect, it } from 'vitest';
import {
  MalformedJobSettledException,
  OutcomeUnknown,
  QueueServerException,
  type ReservedItem,
} from '../../lib/contract/index.js';
import { eventually } from '../support/eventually.js';
import { isTested } from '../support/servers.js';
import { lost, refuses } from '../support/sqs-faults.js';
import type { SqsGateway, SqsRule } from '../support/sqs-gateway.js';
import { idOf, newJob, newQueueName, openSqs, startEmulator } from '../support/sqs-queue.js';

const RECEIVE = ['ReceiveMessage'];
const NEVER = new AbortController().signal;

/** How long each receive waited for work, in seconds, and how many messages it asked for. */
function receives({ callsOf }: { callsOf: SqsGateway['callsOf'] }): readonly (readonly [unknown, unknown])[] {
  return callsOf('ReceiveMessage').map(({ input }) => [
    input['WaitTimeSeconds'],
    input['MaxNumberOfMessages'],
  ]);
}

function received(gateway: SqsGateway): readonly (readonly [unknown, unknown])[] {
  return receives({ callsOf: (name) => gateway.callsOf(name) });
}

/** The messages of the next answer are what `change` makes of them. */
function changed(change: (message: Record<string, unknown>) => Record<string, unknown>): SqsRule {
  return async (_call, pass) => {
    const { status, body } = await pass();
    const { Messages = [] } = body as { Messages?: Record<string, unknown>[] };
    return { status, body: { ...body, Messages: Messages.map(change) } };
  };
}

describe.runIf(isTested('sqs'))('receiving from SQS', async () => {
  const emulator = await startEmulator();

  it('asks for as many as there are free slots, in several receives where one does not do', async () => {
    const { backend, gateway, queue } = await openSqs(emulator);
    await backend.store(Array.from({ length: 40 }, () => newJob({ queue })));
    expect((await backend.reserve([queue], 3)).length).toBe(3);
    expect(received(gateway)).toEqual([[0, 3]]);
    const items = await backend.reserve([queue], 25);
    expect(items.length).toBe(25);
    expect(
      received(gateway)
        .slice(1)
        .map(([, limit]) => limit)
        .sort(),
    ).toEqual([10, 10, 5]);
    expect(new Set(items.map(idOf)).size).toBe(25);
  });

  it('asks an empty queue once, and a busy one by several receives at the same time', async () => {
    const { backend, gateway, queue } = await openSqs(emulator);
    expect(await backend.reserve([queue], 50)).toEqual([]);
    expect(received(gateway).length).toBe(1);
    await backend.store(Array.from({ length: 60 }, () => newJob({ queue })));
    await backend.reserve([queue], 30);
    const before = gateway.callsOf('ReceiveMessage').length;
    let open = 0;
    const together: SqsRule = async (_call, pass) => {
      open += 1;
      await eventually('three receives at the same time', () => open === 3);
      return pass();
    };
    for (let index = 0; index < 3; index += 1) gateway.next(RECEIVE, together);
    expect((await backend.reserve([queue], 30)).length).toBe(30);
    expect(gateway.callsOf('ReceiveMessage').length - before).toBe(3);
  });

  it('keeps what some receives brought when another fails', async () => {
    const { backend, gateway, queue } = await openSqs(emulator);
    await backend.store(Array.from({ length: 40 }, () => newJob({ queue })));
    await backend.reserve([queue], 20);
    gateway.next(RECEIVE, lost('request'));
    expect((await backend.reserve([queue], 20)).length).toBe(10);
  });

  it('never takes an error for an empty queue, and sends no receive again by itself', async () => {
    const { backend, gateway, queue } = await openSqs(emulator);
    gateway.next(RECEIVE, lost('answer'));
    await expect(backend.reserve([queue], 1)).rejects.toThrow(OutcomeUnknown);
    gateway.next(RECEIVE, refuses(400, 'OverLimit'));
    await expect(backend.reserve([queue], 1)).rejects.toThrow(QueueServerException);
    gateway.next(RECEIVE, refuses(503, 'ServiceUnavailable'));
    const waiting = backend.waitForWork([queue], { timeoutMs: 1_000, limit: 1, signal: NEVER });
    await expect(waiting).rejects.toThrow(QueueServerException);
    expect(received(gateway).length).toBe(3);
  });

  it('pop() with a deadline really asks SQS', async () => {
    const { backend, connection, gateway, queue } = await openSqs(emulator, { waitTimeSeconds: 1 });
    const other = newQueueName();
    await emulator.createQueue(other);
    // What is done once only must not eat up the deadline.
    await backend.count(queue);
    expect(await connection.pop(2, [queue, other], NEVER)).toBeNull();
    const waits = gateway.callsOf('ReceiveMessage').map(({ input }) => {
      return [String(input.QueueUrl).endsWith(queue) ? 'first' : 'second', input['WaitTimeSeconds']];
    });
    expect(waits.slice(0, 3)).toEqual([
      ['first', 0],
      ['second', 0],
      ['first', 1],
    ]);
  });

  it('pop() without a deadline waits for five seconds at a time, until there is a job', async () => {
    const { connection, backend, gateway, queue } = await openSqs(emulator);
    const popping = connection.pop(0, [queue], NEVER);
    await eventually('the wait', () => received(gateway).length === 2);
    const job = newJob({ queue });
    await backend.store([job]);
    expect((await popping)?.id).toBe(job.id);
    expect(received(gateway)).toEqual([
      [0, 1],
      [5, 1],
    ]);
  });

  it('finds by the next sweep a job that came to the second queue during a wait for the first', async () => {
    const { connection, backend, gateway, queue } = await openSqs(emulator, { waitTimeSeconds: 1 });
    const second = newQueueName();
    await emulator.createQueue(second);
    const popping = connection.pop(0, [queue, second], NEVER);
    await eventually('the wait', () => received(gateway).length === 3);
    const job = newJob({ queue: second });
    await backend.store([job]);
    const found = await popping;
    expect([found?.id, found?.queue]).toEqual([job.id, second]);
    const { input } = gateway.callsOf('ReceiveMessage').at(-1) ?? {};
    expect([String(input?.QueueUrl).endsWith(second), input?.['WaitTimeSeconds']]).toEqual([true, 0]);
  });

  it('waits no longer than a third of a lease, which is counted from before the wait', async () => {
    const { backend, gateway, queue } = await openSqs(emulator, { leaseSeconds: 6 });
    await backend.waitForWork([queue], { timeoutMs: 60_000, limit: 1, signal: NEVER });
    expect(received(gateway)).toEqual([[2, 1]]);
  });

  it('takes a message without its count of receives for malformed, and takes it out', async () => {
    for (const Attributes of [
      undefined,
      {},
      { ApproximateReceiveCount: 'many' },
      { ApproximateReceiveCount: '0' },
    ]) {
      const { connection, backend, gateway, queue } = await openSqs(emulator);
      await backend.store([newJob({ queue })]);
      gateway.next(
        RECEIVE,
        changed((message) => ({ ...message, Attributes })),
      );
      const [answer] = await connection.reserve([queue], 1);
      expect(answer).toBeInstanceOf(MalformedJobSettledException);
      expect(await emulator.inspect(queue)).toEqual({ ready: [], delayed: [], inflight: [] });
    }
  });

  it('does not take a message that was changed on its way', async () => {
    const { backend, gateway, queue } = await openSqs(emulator);
    await backend.store([newJob({ queue })]);
    gateway.next(
      RECEIVE,
      changed((message) => ({ ...message, Body: '{}' })),
    );
    await expect(backend.reserve([queue], 1)).rejects.toThrow(OutcomeUnknown);
  });

  it('hides what it takes for the lease, whatever the queue says', async () => {
    const attributes = { VisibilityTimeout: '5' };
    const { backend, queue, advance } = await openSqs(emulator, { leaseSeconds: 60, attributes });
    await backend.store([newJob({ queue })]);
    await backend.reserve([queue], 1);
    await advance(55);
    expect(await backend.reserve([queue], 1)).toEqual([]);
    await advance(6);
    expect((await backend.reserve([queue], 1)).length).toBe(1);
  });

  it('gives a job the lease that it asks for, and says what it really got', async () => {
    const bench = await openSqs(emulator, { leaseSeconds: 60 });
    const { backend, gateway, queue } = bench;
    const leaseOf = async (): Promise<ReservedItem['leaseSeconds'] | undefined> =>
      (await backend.reserve([queue], 1))[0]?.leaseSeconds;
    const store = (leaseSeconds: number | null) => backend.store([newJob({ queue, leaseSeconds })]);
    await store(null);
    expect(await leaseOf()).toBe(60);
    expect(gateway.callsOf('ChangeMessageVisibilityBatch').length).toBe(0);
    await store(299.5);
    expect(await leaseOf()).toBe(300);
    await store(300);
    gateway.next(['ChangeMessageVisibilityBatch'], refuses(400, 'RequestThrottled'));
    expect(await leaseOf()).toBe(60);
    await store(20);
    gateway.next(['ChangeMessageVisibilityBatch'], lost('answer'));
    expect(await leaseOf()).toBe(20);
    await store(300);
    gateway.next(['ChangeMessageVisibilityBatch'], lost('request'));
    expect(await leaseOf()).toBe(60);
    await store(100_000);
    expect(await leaseOf()).toBe(43_195 - 1);
  });
});
