import { describe, expect, it } from 'vitest';
import { ConnectionFailed, type QueueCounts, ServerRefused } from '../../lib/contract/index.js';
import { isTested } from '../support/servers.js';
import { lost, refuses } from '../support/sqs-faults.js';
import { idOf, newJob, newQueueName, openSqs, startEmulator } from '../support/sqs-queue.js';

describe.runIf(isTested('sqs'))('queues on SQS', async () => {
  const emulator = await startEmulator();

  it('are looked up once each, however many ask at once', async () => {
    const { backend, gateway, queue } = await openSqs(emulator);
    await Promise.all(Array.from({ length: 5 }, () => backend.store([newJob({ queue })])));
    await backend.settle(
      (await backend.reserve([queue], 1)).map(({ receipt }) => ({
        operation: 'ack',
        receipt,
        followUps: [],
      })),
    );
    await backend.count(queue);
    expect(gateway.callsOf('GetQueueUrl').length).toBe(1);
  });

  it('have the prefix in their names on SQS, and nowhere else', async () => {
    const { backend, gateway, queue } = await openSqs(emulator, { queuePrefix: 'shop-test_' });
    await backend.store([newJob({ queue })]);
    expect(gateway.callsOf('GetQueueUrl')[0]?.input.QueueName).toBe(`shop-test_${queue}`);
    expect((await backend.reserve([queue], 1))[0]?.queue).toBe(queue);
  });

  it('of another account are asked for in it', async () => {
    const { backend, gateway, queue } = await openSqs(emulator, { accountId: '123456789012' });
    await backend.count(queue);
    expect(gateway.callsOf('GetQueueUrl')[0]?.input['QueueOwnerAWSAccountId']).toBe('123456789012');
  });

  it('that are not there are named in the error of whoever asks, and none is created', async () => {
    const { backend, connection, gateway } = await openSqs(emulator, { queuePrefix: 'p-' });
    const missing = newQueueName();
    const message = new RegExp(`expected the queue "p-${missing}" on SQS, came none.*QueueDoesNotExist`);
    const [outcome] = await backend.store([newJob({ queue: missing })]);
    expect(outcome?.status).toBe('refused');
    expect(outcome !== undefined && 'error' in outcome && outcome.error.message).toMatch(message);
    await expect(connection.counts(missing)).rejects.toThrow(message);
    await expect(connection.reserve([missing], 1)).rejects.toThrow(ServerRefused);
    const { signal } = new AbortController();
    await expect(connection.pop(1, [missing], signal)).rejects.toThrow(message);
    expect(await emulator.inspect(`p-${missing}`)).toBeNull();
    expect(gateway.namesSince().every((name) => name === 'GetQueueUrl')).toBe(true);
  });

  it('that are not there are looked up again the next time', async () => {
    const { backend } = await openSqs(emulator);
    const late = newQueueName();
    expect((await backend.store([newJob({ queue: late })]))[0]?.status).toBe('refused');
    await emulator.createQueue(late);
    expect((await backend.store([newJob({ queue: late })]))[0]?.status).toBe('applied');
  });

  it('that could not be looked up are looked up again the next time', async () => {
    const { backend, gateway, queue } = await openSqs(emulator);
    const rules = [lost('request'), lost('answer'), refuses(500, 'InternalFailure')];
    for (const rule of rules) {
      gateway.next(['GetQueueUrl'], rule);
      const [outcome] = await backend.store([newJob({ queue })]);
      expect(outcome?.status).toBe('refused');
      expect(outcome !== undefined && 'error' in outcome && outcome.error).toBeInstanceOf(ConnectionFailed);
    }
    expect((await backend.store([newJob({ queue })]))[0]?.status).toBe('applied');
    expect(gateway.callsOf('GetQueueUrl').length).toBe(rules.length + 1);
    expect(gateway.callsOf('SendMessageBatch').length).toBe(1);
  });

  it.each(['QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue'])(
    'that went away are looked up again: %s',
    async (code) => {
      const { backend, gateway, queue } = await openSqs(emulator);
      await backend.store([newJob({ queue })]);
      gateway.next(['ReceiveMessage'], refuses(400, code));
      await expect(backend.reserve([queue], 1)).rejects.toThrow(/came none/);
      expect((await backend.reserve([queue], 1)).length).toBe(1);
      expect(gateway.callsOf('GetQueueUrl').length).toBe(2);
    },
  );

  it('that are there are worked on beside one that is not', async () => {
    const { backend, queue } = await openSqs(emulator);
    const job = newJob({ queue });
    await backend.store([job]);
    const missing = newQueueName();
    expect((await backend.reserve([missing, queue], 1)).map(idOf)).toEqual([job.id]);
    expect(await backend.reserve([missing, queue], 1)).toEqual([]);
  });

  it('for dead letters are looked up when a worker connects', async () => {
    const dead = newQueueName();
    const { backend } = await openSqs(emulator, { deadLetterQueue: dead });
    await expect(backend.connect()).rejects.toThrow(
      `"${dead}" on SQS (the option deadLetterQueue), came none`,
    );
    await emulator.createQueue(dead);
    await backend.connect();
  });

  it('say what they hold by estimates of SQS', async () => {
    const { backend, connection, queue } = await openSqs(emulator);
    const jobs = [0, 0, 0, 60].map((delaySeconds) => newJob({ queue, delaySeconds }));
    await backend.store(jobs);
    await backend.reserve([queue], 1);
    const counts: QueueCounts = await connection.counts(queue);
    expect(counts).toEqual({
      ready: 2,
      delayed: 1,
      reserved: 1,
      failed: null,
      oldestReadySeconds: null,
      paused: false,
    });
    expect(await connection.size(queue)).toBe(3);
  });
});
