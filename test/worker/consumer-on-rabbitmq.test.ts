import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RabbitMqBackend } from '../../lib/backends/rabbitmq/rabbitmq.backend.js';
import { JobDeferred, JobSucceeded } from '../../lib/events/index.js';
import { deferred, eventually, waitFor } from '../support/eventually.js';
import { openRabbitMq } from '../support/rabbitmq-queue.js';
import { newVhost, rabbitmqctl, type TestVhost } from '../support/rabbitmq-servers.js';
import { isTested } from '../support/servers.js';
import { WorkerBench } from '../support/worker-bench.js';

const EVENTS = [JobSucceeded, JobDeferred];
const QUEUE = 'default';

describe.runIf(isTested('rabbitmq'))('a worker of one queue of RabbitMQ', () => {
  let vhost: TestVhost;
  let backend: RabbitMqBackend;
  let bench: WorkerBench;

  beforeAll(async () => {
    vhost = await newVhost();
  });
  afterAll(() => vhost.remove());
  beforeEach(async () => {
    backend = await openRabbitMq(vhost.url, { queuePrefix: 'test-' });
    await backend.clear(QUEUE);
    // Nothing is prescribed here: any backend serves.
    bench = new WorkerBench(backend as never);
  });

  const pushAll = (jobs: number): Promise<unknown> =>
    Promise.all(Array.from({ length: jobs }, (_, index) => bench.push(`${index}`)));
  const ready = async (): Promise<number> => (await backend.count(QUEUE)).ready;

  it.each([1, 5])(
    'stops during a backlog of 100: the %i that run are done, the others stay',
    async (slots) => {
      await pushAll(100);
      const gate = deferred();
      bench.handler = () => gate.promise;
      const worker = bench.worker({ concurrency: slots }, EVENTS);
      const run = worker.run();
      await eventually('every slot to be taken', () => bench.begun.length === slots);
      worker.stop();
      // Settled while the broker has yet to answer that it sends no more.
      gate.resolve();
      expect(await run).toMatchObject({ exitCode: 0 });
      expect(bench.told).toEqual(Array.from({ length: slots }, () => 'JobSucceeded'));
      await waitFor('the others', async () => (await ready()) === 100 - slots);
    },
  );

  it('meets maxJobs, and takes nothing that it would have to give back', async () => {
    await pushAll(50);
    expect(await bench.worker({ concurrency: 4, maxJobs: 23 }, EVENTS).run()).toMatchObject({ exitCode: 0 });
    expect(bench.told).toEqual(Array.from({ length: 23 }, () => 'JobSucceeded'));
    await waitFor('the others', async () => (await ready()) === 27);
  });

  it('goes on when its connection is closed, and again', async () => {
    const worker = bench.worker({ concurrency: 2 }, EVENTS);
    const run = worker.run();
    for (let cut = 1; cut <= 3; cut += 1) {
      await waitFor('a push', () => bench.push(`before cut ${cut}`).then(Boolean, () => false));
      await eventually('the job', () => bench.begun.includes(`before cut ${cut}`));
      await rabbitmqctl('close_all_connections', '-p', vhost.name, 'for a test');
      await eventually(
        'the worker to notice',
        () => bench.logged('worker.connection-lost').length === cut,
        20_000,
      );
      await eventually(
        'it to be back',
        () => bench.logged('worker.connection-restored').length === cut,
        20_000,
      );
    }
    await bench.push('after all');
    await eventually('the last job', () => bench.begun.includes('after all'));
    worker.stop();
    expect(await run).toMatchObject({ exitCode: 0 });
  });
});
