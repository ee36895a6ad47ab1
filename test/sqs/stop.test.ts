import { describe, expect, it, onTestFinished } from 'vitest';
import { LeaseLostException } from '../../lib/contract/index.js';
import type { QueueWorker, WorkerOptions } from '../../lib/worker/index.js';
import { deferred, eventually, waitFor } from '../support/eventually.js';
import { isTested } from '../support/servers.js';
import type { SqsGateway } from '../support/sqs-gateway.js';
import { openSqs, type OpenSqsOptions, type SqsBench, startEmulator } from '../support/sqs-queue.js';
import { WorkerBench } from '../support/worker-bench.js';

function isWaiting({ input }: SqsGateway['calls'][number]): boolean {
  return Number(input['WaitTimeSeconds']) > 0;
}

describe.runIf(isTested('sqs'))('a worker on SQS', async () => {
  const emulator = await startEmulator();

  /** A worker of the bench's queue, that is not stopped yet. */
  async function openWorker(
    options: OpenSqsOptions = {},
    workerOptions: Partial<WorkerOptions> = {},
  ): Promise<SqsBench & { readonly bench: WorkerBench<SqsBench['backend']>; readonly worker: QueueWorker }> {
    const sqs = await openSqs(emulator, options);
    const bench = new WorkerBench(sqs.backend);
    const worker = bench.worker({ queues: [sqs.queue], ...workerOptions });
    onTestFinished(() => worker.forceStop());
    return { ...sqs, bench, worker };
  }

  const receives = (gateway: SqsGateway): number => gateway.callsOf('ReceiveMessage').length;

  function waiting(gateway: SqsGateway): Promise<void> {
    return eventually('a wait for work', () => gateway.callsOf('ReceiveMessage').some(isWaiting));
  }

  it('that stops lets its receive finish, and sends no other', async () => {
    const { gateway, queue, worker } = await openWorker({ waitTimeSeconds: 1 });
    const run = worker.run();
    await waiting(gateway);
    const before = receives(gateway);
    worker.stop();
    expect((await run).exitCode).toBe(0);
    expect(receives(gateway)).toBe(before);
    expect(await emulator.inspect(queue)).toEqual({ ready: [], delayed: [], inflight: [] });
  });

  it('that stops runs what its receive still brings', async () => {
    const { gateway, queue, worker, bench } = await openWorker();
    const run = worker.run();
    await waiting(gateway);
    const before = receives(gateway);
    worker.stop();
    await bench.push('late', { queue });
    expect((await run).exitCode).toBe(0);
    expect(bench.begun).toEqual(['late']);
    expect(receives(gateway)).toBe(before);
    expect(await emulator.inspect(queue)).toEqual({ ready: [], delayed: [], inflight: [] });
  });

  it('that is forced to stop gives back what its receive still brings', async () => {
    const { gateway, queue, worker, bench } = await openWorker();
    const run = worker.run();
    await waiting(gateway);
    await worker.forceStop();
    expect((await run).exitCode).toBe(1);
    await bench.push('late', { queue });
    const message = await waitFor('the job to be given back', async () => {
      const held = await emulator.inspect(queue);
      return held?.ready.find(({ approximateReceiveCount }) => approximateReceiveCount === 1);
    });
    expect(message.approximateReceiveCount).toBe(1);
    expect(bench.begun).toEqual([]);
    expect(gateway.callsOf('ChangeMessageVisibilityBatch').at(-1)?.input.Entries).toMatchObject([
      { VisibilityTimeout: 0 },
    ]);
  });

  it('that is forced to stop gives back what it runs', async () => {
    const { queue, worker, bench } = await openWorker();
    const begun = deferred();
    bench.handler = () => {
      begun.resolve();
      return new Promise(() => undefined);
    };
    await bench.push('endless', { queue });
    const run = worker.run();
    await begun.promise;
    await worker.forceStop();
    expect((await run).exitCode).toBe(1);
    const held = await emulator.inspect(queue);
    expect([held?.ready.length, held?.inflight.length]).toEqual([1, 0]);
  });

  it('runs many jobs at a time, each once, and settles them in batches', async () => {
    const { gateway, queue, worker, bench } = await openWorker({}, { concurrency: 50 });
    await Promise.all(Array.from({ length: 200 }, (_, index) => bench.push(String(index), { queue })));
    const run = worker.run();
    await eventually('all to be run', () => bench.begun.length >= 200, 20_000);
    worker.stop();
    await run;
    expect(new Set(bench.begun).size).toBe(200);
    expect(bench.begun.length).toBe(200);
    expect(await emulator.inspect(queue)).toEqual({ ready: [], delayed: [], inflight: [] });
    expect(gateway.callsOf('DeleteMessageBatch').length).toBeLessThan(100);
    const most = Math.max(
      ...gateway.callsOf('DeleteMessageBatch').map(({ input }) => input.Entries?.length ?? 0),
    );
    expect(most).toBeLessThanOrEqual(10);
  });

  it('renews the visibility of a job that takes longer than its lease', async () => {
    const { gateway, queue, worker, bench } = await openWorker({ leaseSeconds: 3 });
    const done = deferred();
    bench.handler = () => done.promise;
    await bench.push('long', { queue });
    const run = worker.run();
    await eventually(
      'four renewals',
      () => gateway.callsOf('ChangeMessageVisibilityBatch').length >= 4,
      15_000,
    );
    done.resolve();
    await eventually('its settlement', () => gateway.callsOf('DeleteMessageBatch').length === 1);
    worker.stop();
    await run;
    expect(bench.begun).toEqual(['long']);
  });

  it('tells its job when the 12 hours end', async () => {
    const { queue, worker, bench, advance, gateway } = await openWorker({ leaseSeconds: 4 });
    const aborted = deferred<unknown>();
    const begun = deferred();
    bench.handler = (delivery) => {
      begun.resolve();
      return new Promise((resolve) => {
        delivery.signal.addEventListener('abort', () => {
          aborted.resolve(delivery.signal.reason);
          resolve(undefined);
        });
      });
    };
    await bench.push('endless', { queue });
    const run = worker.run();
    await begun.promise;
    await eventually('a renewal', () => gateway.callsOf('ChangeMessageVisibilityBatch').length >= 1);
    await advance(43_200 - 8);
    const reason = (await aborted.promise) as Error;
    expect(reason).toBeInstanceOf(LeaseLostException);
    expect(String(reason.cause)).toContain('12 hours');
    worker.stop();
    await run;
  });
});
