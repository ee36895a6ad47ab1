import { describe, expect, it } from 'vitest';
import { deadLetterCopy } from '../../lib/backends/sqs/dead-letter-copy.js';
import { number, text } from '../../lib/backends/sqs/message.js';
import type { Failure, ReservedItem, Settlement } from '../../lib/contract/index.js';
import { isTested } from '../support/servers.js';
import { lost, refuses } from '../support/sqs-faults.js';
import {
  newJob,
  newQueueName,
  openSqs,
  type OpenSqsOptions,
  type SqsBench,
  startEmulator,
} from '../support/sqs-queue.js';

const FAILURE: Failure = { cause: 'exhausted', error: 'Error', message: 'no \uFFFE', stack: 'at x' };

describe.runIf(isTested('sqs'))('a job on SQS that is given up on', async () => {
  const emulator = await startEmulator();

  async function openWithDeadLetters(
    options: OpenSqsOptions = {},
  ): Promise<SqsBench & { readonly dead: string }> {
    const dead = newQueueName();
    await emulator.createQueue((options.queuePrefix ?? '') + dead);
    return { ...(await openSqs(emulator, { deadLetterQueue: dead, ...options })), dead };
  }

  async function failing(
    { backend, queue }: SqsBench,
    failure = FAILURE,
    args = {},
  ): Promise<{ item: ReservedItem; fail: Settlement }> {
    await backend.store([newJob({ queue, leaseSeconds: 30, args })]);
    const [item] = await backend.reserve([queue], 1);
    return { item: item as ReservedItem, fail: { operation: 'fail', receipt: item?.receipt, failure } };
  }

  it('is deleted where there is no dead-letter queue', async () => {
    const bench = await openSqs(emulator);
    const { fail } = await failing(bench);
    expect((await bench.backend.settle([fail]))[0]?.status).toBe('applied');
    expect(await emulator.inspect(bench.queue)).toEqual({ ready: [], delayed: [], inflight: [] });
  });

  it('goes to the dead-letter queue first, with what became of it, and can be sent back as it is', async () => {
    const bench = await openWithDeadLetters({ queuePrefix: 'app-' });
    const { item, fail } = await failing(bench);
    expect((await bench.backend.settle([fail]))[0]?.status).toBe('applied');
    const names = bench.gateway.namesSince();
    expect(names.indexOf('DeleteMessageBatch')).toBeGreaterThan(names.lastIndexOf('SendMessageBatch'));
    expect(await emulator.inspect(`app-${bench.queue}`)).toEqual({ ready: [], delayed: [], inflight: [] });
    const [copy] = (await emulator.inspect(`app-${bench.dead}`))?.ready ?? [];
    expect(copy?.body).toBe(item.body);
    const attributes = copy?.messageAttributes ?? {};
    expect(attributes['failedQueue']?.StringValue).toBe(bench.queue);
    expect(JSON.parse(attributes['failure']?.StringValue ?? '')).toEqual(FAILURE);
    expect(Date.parse(attributes['failedAt']?.StringValue ?? '')).not.toBeNaN();
    expect(attributes['leaseSeconds']?.StringValue).toBe('30');
    const [dead] = await bench.backend.reserve([bench.dead], 1);
    expect(dead?.header).toEqual({ ...item.header, attempts: 0, serial: 1 });
  });

  it('keeps in its copy what others have written beside it', async () => {
    const bench = await openWithDeadLetters();
    const foreign = { DataType: 'String', StringValue: 'abc' };
    bench.gateway.next(['SendMessageBatch'], ({ input }, pass) =>
      pass({
        ...input,
        Entries: input.Entries?.map((entry) => ({ ...entry, MessageAttributes: { foreign } })) ?? [],
      }),
    );
    const { fail } = await failing(bench);
    await bench.backend.settle([fail]);
    const [copy] = (await emulator.inspect(bench.dead))?.ready ?? [];
    expect(copy?.messageAttributes['foreign']).toEqual(foreign);
  });

  it.each([true, false])('says where its bytes are when they are no job: dead letters %s', async (kept) => {
    const bench = kept ? await openWithDeadLetters() : await openSqs(emulator);
    await bench.backend.store([{ ...newJob({ queue: bench.queue }), body: '{}' }]);
    const [answer] = await bench.connection.reserve([bench.queue], 1);
    expect(answer).toMatchObject({
      disposition: kept ? 'dead-letter' : 'removed',
      message: expect.stringContaining(kept ? 'went to the dead-letter queue' : 'was removed'),
    });
  });

  it('stays where it is when the copy is refused', async () => {
    const bench = await openWithDeadLetters();
    const { fail } = await failing(bench);
    await emulator.deleteQueue(bench.dead);
    const [outcome] = await bench.backend.settle([fail]);
    expect(outcome?.status).toBe('refused');
    expect(outcome !== undefined && 'error' in outcome && outcome.error.message).toContain(
      `"${bench.dead}" on SQS (the option deadLetterQueue)`,
    );
    expect((await emulator.inspect(bench.queue))?.inflight.length).toBe(1);
  });

  it('stays where it is when the answer to the copy is lost', async () => {
    const bench = await openWithDeadLetters();
    const { fail } = await failing(bench);
    bench.gateway.next(['SendMessageBatch'], lost('answer'));
    expect((await bench.backend.settle([fail]))[0]?.status).toBe('unknown');
    expect((await emulator.inspect(bench.queue))?.inflight.length).toBe(1);
  });

  it('is of unknown outcome when it was copied and not deleted: a second try would leave a second copy', async () => {
    const bench = await openWithDeadLetters();
    const { fail } = await failing(bench);
    bench.gateway.next(['DeleteMessageBatch'], refuses(400, 'RequestThrottled'));
    const [outcome] = await bench.backend.settle([fail]);
    expect(outcome?.status).toBe('unknown');
    expect(outcome !== undefined && 'error' in outcome && outcome.error.message).toContain('second copy');
    expect((await emulator.inspect(bench.dead))?.ready.length).toBe(1);
  });
});

describe('the copy of a job that is given up on', () => {
  const attributes = { v: number(1), leaseSeconds: number(30) };
  const receipt = { queue: 'mail', message: { body: '{}', attributes } };
  const long = { ...FAILURE, message: 'm'.repeat(2_000), stack: 's'.repeat(5_000) };
  const copyOf = (maxBytes: number) => deadLetterCopy(receipt, long, maxBytes);
  const failureIn = (maxBytes: number): unknown =>
    JSON.parse(copyOf(maxBytes).attributes['failure']?.StringValue ?? 'null');

  it.each([
    ['all of it', 10_000, long],
    ['no stack', 5_000, { ...long, stack: null }],
    ['a short message', 1_000, { ...long, stack: null, message: 'm'.repeat(200) }],
    ['nothing of the failure', 150, null],
    ['nothing at all', 60, null],
  ])('tells as much as there is room for: %s', (_what, maxBytes, failure) => {
    expect(failureIn(maxBytes)).toEqual(failure);
    expect(copyOf(maxBytes).bytes).toBeLessThanOrEqual(maxBytes);
    expect(copyOf(maxBytes).attributes).toMatchObject(attributes);
    expect('failedQueue' in copyOf(maxBytes).attributes).toBe(maxBytes >= 150);
  });

  it('has its body in any case', () => {
    expect(copyOf(2)).toMatchObject({ body: '{}', attributes: {}, bytes: 2 });
  });

  it('has ten attributes at most, its own among them', () => {
    const many = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`a${index}`, text('x')]));
    const copy = deadLetterCopy(
      { queue: 'mail', message: { body: '{}', attributes: many } },
      FAILURE,
      10_000,
    );
    expect(Object.keys(copy.attributes).length).toBe(10);
    expect(Object.keys(copy.attributes)).toEqual(
      expect.arrayContaining(['failure', 'failedQueue', 'failedAt']),
    );
  });
});
