import { describe, expect, it } from 'vitest';
import type { ReservedItem, SettleOutcome, Settlement } from '../../lib/contract/index.js';
import { eventually, waitFor } from '../support/eventually.js';
import { isTested } from '../support/servers.js';
import { entriesFail, lost, refuses } from '../support/sqs-faults.js';
import type { SqsGateway } from '../support/sqs-gateway.js';
import { idOf, newJob, openSqs, type SqsBench, startEmulator } from '../support/sqs-queue.js';

const DELETE = ['DeleteMessageBatch'];
const HIDE = ['ChangeMessageVisibilityBatch'];
const TWELVE_HOURS = 43_200;

/** So many deliveries, in the order in which they came. */
async function deliveries({ backend, queue }: SqsBench, count: number): Promise<readonly ReservedItem[]> {
  await backend.store(Array.from({ length: count }, () => newJob({ queue })));
  const items: ReservedItem[] = [];
  await waitFor(`${count} deliveries`, async () => {
    items.push(...(await backend.reserve([queue], count - items.length)));
    return items.length === count;
  });
  return items;
}

async function delivery(bench: SqsBench): Promise<ReservedItem> {
  return (await deliveries(bench, 1))[0] as ReservedItem;
}

function acks(items: readonly ReservedItem[]): Settlement[] {
  return items.map(({ receipt }) => ({ operation: 'ack', receipt, followUps: [] }));
}

function release({ receipt }: ReservedItem, delaySeconds = 0): Settlement {
  return { operation: 'release', receipt, changes: {}, delaySeconds };
}

function extend({ receipt }: ReservedItem, seconds: number): Settlement {
  return { operation: 'extend', receipt, seconds };
}

function statuses(outcomes: readonly SettleOutcome[]): readonly string[] {
  return outcomes.map(({ status }) => status);
}

async function statusOf({ backend }: SqsBench, settlement: Settlement): Promise<string | undefined> {
  return (await backend.settle([settlement]))[0]?.status;
}

function sizesOf(gateway: SqsGateway, name: string): readonly number[] {
  return gateway.callsOf(name).map(({ input }) => input.Entries?.length ?? 0);
}

/** For how long messages were hidden last, in seconds. */
function hiddenFor({ gateway }: SqsBench): readonly unknown[] {
  const entries = gateway.callsOf('ChangeMessageVisibilityBatch').at(-1)?.input.Entries ?? [];
  return entries.map(({ VisibilityTimeout }) => VisibilityTimeout);
}

describe.runIf(isTested('sqs'))('settlements on SQS', async () => {
  const emulator = await startEmulator();

  it('a batch in which entries 2 and 5 fail reports exactly those, and settles the others', async () => {
    const bench = await openSqs(emulator);
    const items = await deliveries(bench, 8);
    bench.gateway.next(DELETE, entriesFail([2, 5], { Code: 'RequestThrottled', SenderFault: false }));
    expect(statuses(await bench.backend.settle(acks(items)))).toEqual(
      Array.from({ length: 8 }, (_, entry) => ([2, 5].includes(entry) ? 'refused' : 'applied')),
    );
    const left = (await emulator.inspect(bench.queue))?.inflight.map(({ message }) => idOf(message));
    expect(new Set(left)).toEqual(new Set([items[2], items[5]].map((item) => idOf(item as ReservedItem))));
  });

  it('that come together go in batches of ten', async () => {
    const bench = await openSqs(emulator);
    const items = await deliveries(bench, 25);
    await bench.backend.settle(acks(items));
    expect(sizesOf(bench.gateway, 'DeleteMessageBatch')).toEqual([10, 10, 5]);
  });

  it('that come while another is in flight become one batch; one that comes alone goes at once', async () => {
    const bench = await openSqs(emulator);
    const [first, ...others] = await deliveries(bench, 4);
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    bench.gateway.next(DELETE, async (_call, pass) => {
      await held;
      return pass();
    });
    const settling = [bench.backend.settle(acks([first as ReservedItem]))];
    await eventually('the first to arrive', () => sizesOf(bench.gateway, 'DeleteMessageBatch').length === 1);
    for (const item of others) {
      settling.push(bench.backend.settle(acks([item])));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sizesOf(bench.gateway, 'DeleteMessageBatch')).toEqual([1]);
    go();
    expect((await Promise.all(settling)).flat().map(({ status }) => status)).toEqual(
      Array(4).fill('applied'),
    );
    expect(sizesOf(bench.gateway, 'DeleteMessageBatch')).toEqual([1, 3]);
  });

  it('are answered each for itself when the request fails as a whole', async () => {
    const bench = await openSqs(emulator);
    const items = await deliveries(bench, 2);
    bench.gateway.next(DELETE, refuses(400, 'RequestThrottled'));
    expect(statuses(await bench.backend.settle(acks(items)))).toEqual(['refused', 'refused']);
    bench.gateway.next(DELETE, lost('answer'));
    expect(statuses(await bench.backend.settle(acks(items)))).toEqual(['unknown', 'unknown']);
    expect(sizesOf(bench.gateway, 'DeleteMessageBatch')).toEqual([2, 2]);
  });

  it('of an entry that the answer does not name are unknown', async () => {
    const bench = await openSqs(emulator);
    const items = await deliveries(bench, 2);
    bench.gateway.next(DELETE, async () => ({
      status: 200,
      body: { Successful: [{ Id: '1' }], Failed: [] },
    }));
    expect(statuses(await bench.backend.settle(acks(items)))).toEqual(['unknown', 'applied']);
  });

  it.each([
    { Code: 'ReceiptHandleIsInvalid', SenderFault: true },
    { Code: 'AWS.SimpleQueueService.MessageNotInflight', SenderFault: true },
    {
      Code: 'InvalidParameterValue',
      SenderFault: true,
      Message: 'Value AQEB for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.',
    },
    {
      Code: 'InvalidParameterValue',
      SenderFault: true,
      Message: 'Reason: Message does not exist or is not available for visibility timeout change.',
    },
  ])('pass on as stale what SQS says of an expired receipt: $Code $Message', async (failure) => {
    const bench = await openSqs(emulator);
    const item = await delivery(bench);
    bench.gateway.next(DELETE, entriesFail([0], failure));
    expect(await statusOf(bench, acks([item])[0] as Settlement)).toBe('stale');
    bench.gateway.next(HIDE, entriesFail([0], failure));
    expect(await statusOf(bench, extend(item, 60))).toBe('stale');
  });

  it('of a delivery whose lease ended say what SQS answers', async () => {
    const bench = await openSqs(emulator, { leaseSeconds: 60 });
    const item = await delivery(bench);
    await bench.advance(61);
    const [again] = await bench.backend.reserve([bench.queue], 1);
    expect(idOf(again as ReservedItem)).toBe(idOf(item));
    expect(await statusOf(bench, extend(item, 60))).toBe('stale');
    expect(await statusOf(bench, release(item))).toBe('stale');
  });

  it('a release with a delay hides the message for whole seconds, and it keeps its attributes', async () => {
    const bench = await openSqs(emulator);
    const item = await delivery(bench);
    expect(await statusOf(bench, release(item, 29.5))).toBe('applied');
    expect(hiddenFor(bench)).toEqual([30]);
    await bench.advance(29);
    expect(await bench.backend.reserve([bench.queue], 1)).toEqual([]);
    await bench.advance(2);
    const [again] = await bench.backend.reserve([bench.queue], 1);
    expect(again?.body).toBe(item.body);
    expect(again?.header).toEqual({ ...item.header, serial: 2, attempts: 1 });
  });

  it('a delay ends with the 12 hours from the receive', async () => {
    const bench = await openSqs(emulator);
    const item = await delivery(bench);
    await bench.backend.settle([extend(item, 3_600)]);
    await bench.advance(3_000);
    expect(await statusOf(bench, release(item, TWELVE_HOURS))).toBe('applied');
    const [seconds] = hiddenFor(bench) as number[];
    expect(seconds).toBeLessThanOrEqual(TWELVE_HOURS - 3_000);
    expect(seconds).toBeGreaterThan(TWELVE_HOURS - 3_000 - 15);
  });

  it('a renewal ends with the 12 hours, and the delivery is told', async () => {
    const bench = await openSqs(emulator, { leaseSeconds: 90 });
    const item = await delivery(bench);
    await bench.backend.settle([extend(item, 43_000)]);
    await bench.advance(TWELVE_HOURS - 60);
    expect(item.lost?.aborted).toBe(false);
    expect(await statusOf(bench, extend(item, 90))).toBe('applied');
    const [seconds] = hiddenFor(bench) as number[];
    expect(seconds).toBeLessThanOrEqual(60);
    expect(seconds).toBeGreaterThan(45);
    await bench.advance(59);
    const calls = bench.gateway.calls.length;
    expect(await statusOf(bench, extend(item, 90))).toBe('applied');
    expect(bench.gateway.calls.length).toBe(calls);
    await eventually('the delivery to be told', () => item.lost?.aborted === true);
    await bench.advance(2);
    expect(await statusOf(bench, extend(item, 90))).toBe('stale');
    expect(await statusOf(bench, release(item))).toBe('stale');
    expect(bench.gateway.calls.length).toBe(calls);
  });

  it('end the wait for the 12 hours with the delivery', async () => {
    const bench = await openSqs(emulator);
    const item = await delivery(bench);
    const timer = (): unknown => Reflect.get(item.receipt as object, 'timer');
    await bench.backend.settle([extend(item, 43_000)]);
    await bench.advance(TWELVE_HOURS - 60);
    await bench.backend.settle([extend(item, 90)]);
    expect(timer()).not.toBeNull();
    await bench.backend.settle(acks([item]));
    expect(timer()).toBeNull();
  });
});
