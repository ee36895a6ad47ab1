import { expect, onTestFinished, test, vi } from 'vitest';
import { DecodingDefectException } from '../../lib/contract/index.js';
import type { OpenedStore } from '../../lib/testing.js';
import { rabbitmqHarness } from '../support/crippled/crippled-harness.js';
import { eventually } from '../support/eventually.js';
import { LabelledJob, WorkerBench } from '../support/worker-bench.js';

/** A store where nothing but its channel ends a delivery, and that stores follow-ups before the ack. */
async function open(): Promise<{ store: OpenedStore; bench: WorkerBench<OpenedStore['backend']> }> {
  const store = await rabbitmqHarness().open({ leaseSeconds: 600 });
  onTestFinished(() => store.close());
  return { store, bench: new WorkerBench(store.backend) };
}

test('a job whose follow-up could not be stored comes again, although its worker stays connected', async () => {
  const { store, bench } = await open();
  await bench.queue.chain([new LabelledJob('first'), new LabelledJob('second')]);
  bench.handler = () => (bench.begun.length === 1 ? store.silence?.('request') : undefined);
  const worker = bench.worker();
  const run = worker.run();
  await eventually('the whole chain', () => bench.begun.includes('second'));
  worker.stop();
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(bench.begun).toEqual(['first', 'first', 'second']);
  expect(bench.logged('job.settlement-unknown')).toHaveLength(1);
  expect(await bench.queue.size('default')).toBe(0);
});

test('an item that a defect of the decoder met is back, although its worker stays connected', async () => {
  const { store, bench } = await open();
  await bench.push('a');
  const deliver = store.backend.reserve.bind(store.backend);
  vi.spyOn(store.backend, 'reserve').mockImplementationOnce(async (...args) =>
    (await deliver(...args)).map((item) => ({
      ...item,
      get header(): never {
        throw new RangeError('a defect of the decoder');
      },
    })),
  );
  await expect(bench.worker().processNext(1)).rejects.toBeInstanceOf(DecodingDefectException);
  expect(await bench.worker().processNext(1)).toBe(true);
  expect(bench.begun).toEqual(['a']);
});
