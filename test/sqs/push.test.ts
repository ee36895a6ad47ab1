import { describe, expect, it } from 'vitest';
import {
  ConnectionFailed,
  InvalidQueueArgumentException,
  type NewJob,
  OutcomeUnknown,
  PushManyException,
  ServerRefused,
  type StoreOutcome,
} from '../../lib/contract/index.js';
import { Note } from '../../lib/testing/conformance/jobs.js';
import { isTested } from '../support/servers.js';
import { entriesFail, lost, refuses } from '../support/sqs-faults.js';
import type { SqsGateway } from '../support/sqs-gateway.js';
import { newJob, openSqs, startEmulator } from '../support/sqs-queue.js';

const SEND = ['SendMessageBatch'];

function statuses(outcomes: readonly StoreOutcome[]): readonly string[] {
  return outcomes.map(({ status }) => status);
}

function errorOf(outcome: StoreOutcome | undefined): Error | undefined {
  return outcome !== undefined && 'error' in outcome ? outcome.error : undefined;
}

/** Largest first: batches that are under way together arrive in any order. */
function sizesOf(gateway: SqsGateway): readonly number[] {
  const sizes = gateway.callsOf('SendMessageBatch').map(({ input }) => input.Entries?.length ?? 0);
  return sizes.sort((one, other) => other - one);
}

/** A job whose body has so many bytes. */
function jobOf(bytes: number, queue: string): NewJob {
  const job = newJob({ queue });
  return { ...job, body: job.body.padEnd(bytes) };
}

describe.runIf(isTested('sqs'))('a push to SQS', async () => {
  const emulator = await startEmulator();

  it('of 901 seconds is refused before anything is sent, one of 900 is not', async () => {
    const { api, queue, gateway } = await openSqs(emulator);
    await expect(api.push(new Note('a'), { queue, delaySeconds: 901 })).rejects.toThrow(
      InvalidQueueArgumentException,
    );
    expect(gateway.calls).toEqual([]);
    await api.push(new Note('a'), { queue, delaySeconds: 899.5 });
    expect((await emulator.inspect(queue))?.delayed.length).toBe(1);
    expect(gateway.callsOf('SendMessageBatch')[0]?.input.Entries?.[0]?.['DelaySeconds']).toBe(900);
  });

  it('without a delay does not take the one of the queue', async () => {
    const { api, queue } = await openSqs(emulator, { attributes: { DelaySeconds: '300' } });
    await api.push(new Note('a'), { queue });
    expect((await emulator.inspect(queue))?.ready.length).toBe(1);
  });

  it('of one byte over the limit is refused before anything is sent, one at the limit is stored', async () => {
    const { backend, queue, gateway } = await openSqs(emulator, { maxMessageBytes: 2_000 });
    const attributes = 'vNumber1'.length;
    const over = await backend.store([jobOf(2_001 - attributes, queue)]);
    expect(errorOf(over[0])).toBeInstanceOf(InvalidQueueArgumentException);
    expect(errorOf(over[0])?.message).toMatch(
      /push\(\): expected a message of at most 2000 bytes.*came one of 2001/,
    );
    expect(gateway.calls).toEqual([]);
    expect(statuses(await backend.store([jobOf(2_000 - attributes, queue)]))).toEqual(['applied']);
  });

  it('of several, one of them too large, sends none of them', async () => {
    const { backend, queue, gateway } = await openSqs(emulator, { maxMessageBytes: 2_000 });
    const outcomes = await backend.store([newJob({ queue }), jobOf(3_000, queue)]);
    expect(statuses(outcomes)).toEqual(['refused', 'refused']);
    expect(errorOf(outcomes[0])?.message).toMatch(
      /pushMany\(\)\[1\]: expected a message of at most 2000 bytes/,
    );
    expect(gateway.calls).toEqual([]);
  });

  it('of a name that is too long with its prefix is refused before anything is sent', async () => {
    const { backend, connection, gateway } = await openSqs(emulator, { queuePrefix: 'p'.repeat(30) });
    const queue = 'q'.repeat(51);
    expect(errorOf((await backend.store([newJob({ queue })]))[0])?.message).toMatch(/at most 80 characters/);
    await expect(connection.reserve([queue], 1)).rejects.toThrow(InvalidQueueArgumentException);
    expect(gateway.calls).toEqual([]);
  });

  it('of 25 jobs of 200 KB goes in batches that SQS takes', async () => {
    const { api, queue, gateway, connection } = await openSqs(emulator);
    const text = 'x'.repeat(200 * 1_024);
    const entries = Array.from({ length: 25 }, (_, index) => ({ job: new Note(index + text), queue }));
    expect(new Set(await api.pushMany(entries)).size).toBe(25);
    expect(sizesOf(gateway)).toEqual([5, 5, 5, 5, 5]);
    expect((await connection.counts(queue)).ready).toBe(25);
  });

  it('of 25 small jobs goes in three batches', async () => {
    const { backend, queue, gateway } = await openSqs(emulator);
    const outcomes = await backend.store(Array.from({ length: 25 }, () => newJob({ queue })));
    expect(outcomes.every(({ status }) => status === 'applied')).toBe(true);
    expect(sizesOf(gateway)).toEqual([10, 10, 5]);
  });

  it('in which entries 2 and 5 fail reports exactly those', async () => {
    const { api, queue, gateway, emulator: server } = await openSqs(emulator);
    gateway.next(SEND, entriesFail([2, 5], { Code: 'InvalidMessageContents', SenderFault: true }));
    const entries = Array.from({ length: 8 }, (_, index) => ({ job: new Note(String(index)), queue }));
    const failure: unknown = await api.pushMany(entries).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PushManyException);
    const { outcomes } = failure as PushManyException;
    expect(statuses(outcomes)).toEqual(
      Array.from({ length: 8 }, (_, entry) => ([2, 5].includes(entry) ? 'refused' : 'applied')),
    );
    expect(errorOf(outcomes[2])).toBeInstanceOf(ServerRefused);
    expect((await server.inspect(queue))?.ready.length).toBe(6);
  });

  it('says of an entry with an internal error that its outcome is unknown, of a throttled one that it is refused', async () => {
    const { backend, queue, gateway } = await openSqs(emulator);
    gateway.next(SEND, entriesFail([0], { Code: 'InternalError', SenderFault: false }));
    expect(statuses(await backend.store([newJob({ queue }), newJob({ queue })]))).toEqual([
      'unknown',
      'applied',
    ]);
    gateway.next(SEND, entriesFail([1], { Code: 'RequestThrottled', SenderFault: false }));
    expect(statuses(await backend.store([newJob({ queue }), newJob({ queue })]))).toEqual([
      'applied',
      'refused',
    ]);
  });

  it('that the service has no time for is sent again', async () => {
    const { backend, queue, gateway } = await openSqs(emulator);
    gateway.next(SEND, refuses(400, 'RequestThrottled'));
    gateway.next(SEND, refuses(503, 'ServiceUnavailable'));
    expect(statuses(await backend.store([newJob({ queue })]))).toEqual(['applied']);
    expect(sizesOf(gateway)).toEqual([1, 1, 1]);
    expect((await emulator.inspect(queue))?.ready.length).toBe(1);
  });

  it.each(['request', 'answer'] as const)(
    'whose %s is lost is unknown, and is not sent again',
    async (part) => {
      const { backend, queue, gateway } = await openSqs(emulator);
      gateway.next(SEND, lost(part));
      const [outcome] = await backend.store([newJob({ queue })]);
      expect(outcome?.status).toBe('unknown');
      expect(errorOf(outcome)).toBeInstanceOf(OutcomeUnknown);
      expect(sizesOf(gateway)).toEqual([1]);
    },
  );

  it('that meets an internal error of the service is unknown, and is not sent again', async () => {
    const { backend, queue, gateway } = await openSqs(emulator);
    gateway.next(SEND, refuses(500, 'InternalFailure'));
    expect(statuses(await backend.store([newJob({ queue })]))).toEqual(['unknown']);
    expect(sizesOf(gateway)).toEqual([1]);
  });

  it('that may not be made is refused, with what is needed', async () => {
    const { backend, queue, gateway } = await openSqs(emulator);
    gateway.next(SEND, refuses(403, 'AccessDenied', 'User: arn:aws:iam::000000000000:user/hunter2'));
    const [outcome] = await backend.store([newJob({ queue })]);
    expect(outcome?.status).toBe('refused');
    expect(errorOf(outcome)?.message).toMatch(/AccessDenied.*docs\/sqs\.md/);
    expect(errorOf(outcome)?.message).not.toContain('hunter2');
  });

  it('to nobody was never sent', async () => {
    const { backend, queue } = await openSqs(emulator, { endpoint: 'http://127.0.0.1:1' });
    const [outcome] = await backend.store([newJob({ queue })]);
    expect(outcome?.status).toBe('refused');
    expect(errorOf(outcome)).toBeInstanceOf(ConnectionFailed);
  });

  it('that no answer comes to in its time is unknown', async () => {
    const { backend, queue, gateway } = await openSqs(emulator, { requestTimeoutMs: 1_000 });
    await backend.store([newJob({ queue })]);
    gateway.next(SEND, () => new Promise(() => undefined));
    const [outcome] = await backend.store([newJob({ queue })]);
    expect(outcome?.status).toBe('unknown');
    expect(errorOf(outcome)?.message).toContain('no answer within 1000 ms');
  });

  it('of many jobs is given up on with the first batch that fails as a whole', async () => {
    const { backend, queue, gateway } = await openSqs(emulator);
    for (let batch = 0; batch < 8; batch += 1) gateway.next(SEND, lost('request'));
    const outcomes = await backend.store(Array.from({ length: 200 }, () => newJob({ queue })));
    expect(sizesOf(gateway).length).toBe(8);
    expect(statuses(outcomes).filter((status) => status === 'unknown').length).toBe(80);
    expect(statuses(outcomes).filter((status) => status === 'refused').length).toBe(120);
  });

  it('of jobs on two queues keeps them apart', async () => {
    const { backend, queue, gateway } = await openSqs(emulator);
    const other = `${queue}-other`;
    await emulator.createQueue(other);
    const jobs = [queue, other, queue, other].map((name) => newJob({ queue: name }));
    expect(statuses(await backend.store(jobs))).toEqual(['applied', 'applied', 'applied', 'applied']);
    expect(sizesOf(gateway)).toEqual([2, 2]);
    expect((await emulator.inspect(other))?.ready.map(({ body }) => body)).toEqual([
      jobs[1]?.body,
      jobs[3]?.body,
    ]);
  });
});
