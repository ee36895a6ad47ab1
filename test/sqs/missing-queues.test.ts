import { describe, expect, it } from 'vitest';
import { ServerRefused } from '../../lib/contract/index.js';
import { eventually } from '../support/eventually.js';
import { isTested } from '../support/servers.js';
import { refuses } from '../support/sqs-faults.js';
import { idOf, newJob, newQueueName, openSqs, startEmulator } from '../support/sqs-queue.js';
import { WorkerBench } from '../support/worker-bench.js';

const wait = { timeoutMs: 1_000, limit: 1, signal: new AbortController().signal };

describe.runIf(isTested('sqs'))('a queue that is missing beside others on SQS', async () => {
  const emulator = await startEmulator();

  it('is told once, with what to do, and again when it was back and went away', async () => {
    const { backend, queue, warnings, advance } = await openSqs(emulator);
    const late = newQueueName();
    const sweep = async (): Promise<void> => {
      expect(await backend.reserve([late, queue], 1)).toEqual([]);
      await advance(10);
    };
    for (let times = 0; times < 3; times += 1) await sweep();
    expect(warnings).toEqual([expect.stringContaining(`"${late}"`)]);
    expect(warnings[0]).toMatch(/create it.*--queue/);
    await emulator.createQueue(late);
    await sweep();
    expect(warnings.length).toBe(1);
    await emulator.deleteQueue(late);
    for (let times = 0; times < 3; times += 1) await sweep();
    expect(warnings.length).toBe(2);
  });

  it('is asked for now and then only, so that the others are swept at full speed', async () => {
    const { backend, queue, gateway, advance } = await openSqs(emulator);
    const missing = newQueueName();
    for (let times = 0; times < 5; times += 1) await backend.reserve([missing, queue], 1);
    expect(gateway.callsOf('ReceiveMessage').length).toBe(5);
    expect(gateway.callsOf('GetQueueUrl').length).toBe(2);
    await advance(10);
    await backend.reserve([missing, queue], 1);
    expect(gateway.callsOf('GetQueueUrl').length).toBe(3);
  });

  it('does not keep a job of the others waiting: the first that is there is polled', async () => {
    const { backend, queue, gateway } = await openSqs(emulator);
    const missing = newQueueName();
    const job = newJob({ queue });
    await backend.store([job]);
    expect((await backend.waitForWork([missing, queue], wait)).map(idOf)).toEqual([job.id]);
    const asked = gateway.callsOf('GetQueueUrl').length;
    await backend.waitForWork([missing, queue], wait);
    expect(gateway.callsOf('GetQueueUrl').length).toBe(asked);
  });

  it('is no other than one that refuses for another reason', async () => {
    const { backend, queue, gateway, warnings } = await openSqs(emulator);
    const forbidden = newQueueName();
    await emulator.createQueue(forbidden);
    gateway.next(['GetQueueUrl'], refuses(403, 'AccessDenied'));
    expect(await backend.reserve([forbidden, queue], 1)).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(new RegExp(`"${forbidden}".*AccessDenied`))]);
  });

  it('is an error when none of the others can be asked either', async () => {
    const { backend, warnings } = await openSqs(emulator);
    const [a, b] = [newQueueName(), newQueueName()];
    for (let times = 0; times < 2; times += 1) {
      await expect(backend.reserve([a, b], 1)).rejects.toThrow(ServerRefused);
      await expect(backend.reserve([a, b], 1)).rejects.toThrow(`"${a}"`);
      await expect(backend.waitForWork([a, b], wait)).rejects.toThrow(`"${a}"`);
    }
    expect(warnings).toEqual([]);
  });

  it('is no outage to a worker', async () => {
    const { backend, queue, warnings } = await openSqs(emulator, { waitTimeSeconds: 1 });
    const missing = newQueueName();
    const bench = new WorkerBench(backend);
    const run = bench.worker({ queues: [missing, queue], maxJobs: 2, maxConnectionFailures: 1 }).run();
    await bench.push('a', { queue });
    await eventually('the first job', () => bench.begun.length === 1);
    await bench.push('b', { queue });
    expect(await run).toMatchObject({ exitCode: 0 });
    expect(bench.logged('worker.connection-lost')).toEqual([]);
    expect(warnings.length).toBe(1);
  });
});
