import { expect, onTestFinished, test } from 'vitest';
import { memory } from '../../lib/index.js';
import { bareContext } from '../support/bare-context.js';
import { newJob } from '../support/redis-queue.js';
import { WorkerBench } from '../support/worker-bench.js';
import { tracedBackends } from './support/backends.js';
import { TelemetryBench } from './support/telemetry-bench.js';

const METRIC = 'kinetis_queue.items.malformed';

test.each(tracedBackends)(
  'an item that is no job is counted, by what became of it, on $name',
  async ({ name, open }) => {
    const telemetry = new TelemetryBench();
    const backend = await (await open())(bareContext());
    onTestFinished(() => backend.close());
    const bench = new WorkerBench(backend);
    bench.telemetry = telemetry.telemetry();
    await backend.store([{ ...newJob({ queue: 'default' }), body: 'no job' }]);
    await bench.worker({ maxJobs: 1 }).run();
    expect(await telemetry.measured(METRIC)).toEqual([
      {
        attributes: expect.objectContaining({
          'messaging.destination.name': 'default',
          'kinetis_queue.connection': 'default',
          'kinetis_queue.disposition': name === 'sqs' ? 'removed' : 'failed-store',
        }),
        value: 1,
      },
    ]);
    expect(telemetry.spans).toEqual([]);
  },
);

test('a worker goes on with a telemetry that cannot count it', async () => {
  const backend = await memory()(bareContext());
  const bench = new WorkerBench(backend);
  bench.telemetry = {
    malformed() {
      throw new Error('an observer broke');
    },
  };
  await backend.store([{ ...newJob({ queue: 'default' }), body: 'no job' }]);
  await bench.push('a');
  expect(await bench.worker({ maxJobs: 2 }).run()).toMatchObject({ exitCode: 0 });
  expect(bench.begun).toEqual(['a']);
});
