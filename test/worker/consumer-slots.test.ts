import { expect, test } from 'vitest';
import { JobDeferred, JobReleased, JobSettlementLost, JobSucceeded } from '../../lib/events/index.js';
import { Job } from '../../lib/jobs/index.js';
import type { WorkerOptions } from '../../lib/worker/index.js';
import { deferred, eventually } from '../support/eventually.js';
import { SendingBackend } from '../support/sending-backend.js';
import { WorkerBench } from '../support/worker-bench.js';

const OUTCOMES = [JobSucceeded, JobReleased, JobDeferred, JobSettlementLost];

@Job({ args: ['label'], timeoutSeconds: 0.02, backoff: 3_600 })
class Limited {
  constructor(readonly label: string) {}

  handle(): void {}
}

@Job({ args: ['label'] })
class Unlimited {
  constructor(readonly label: string) {}

  handle(): void {}
}

/** A worker whose first job ignores that its time is over, and of which the server sends ahead what it has a prefetch for. */
async function deaf(options: Partial<WorkerOptions>, others: readonly string[]) {
  const backend = new SendingBackend();
  const bench = new WorkerBench(backend, [Limited, Unlimited]);
  const gates = new Map(['deaf', ...others].map((label) => [label, deferred()]));
  const alive = new Set<string>();
  let most = 0;
  bench.handler = async (_delivery, { label }) => {
    alive.add(label);
    most = Math.max(most, alive.size);
    await gates.get(label)?.promise;
    alive.delete(label);
  };
  await bench.queue.push(new Limited('deaf'), { maxAttempts: 2 });
  const worker = bench.worker({ timeoutGraceSeconds: 0, shutdownTimeoutSeconds: 30, ...options }, OUTCOMES);
  const run = worker.run();
  await eventually('the job to be abandoned', () => bench.logged('job.abandoned').length === 1);
  await eventually('its settlement', () => backend.applied.length === 1);
  for (const label of others) await bench.queue.push(new Unlimited(label));
  return {
    backend,
    bench,
    worker,
    run,
    end: (label: string) => gates.get(label)?.resolve(),
    most: () => most,
    ready: async () => (await backend.inner.count('default')).ready,
  };
}

test('an abandoned handler keeps its slot: what the server sends beyond that waits, and runs when one is free', async () => {
  const { backend, bench, worker, run, end, most } = await deaf({ concurrency: 2 }, ['a', 'b', 'c']);
  // The settled job makes room at the server, not here.
  await eventually(
    'one more than there are slots to come',
    () => backend.sent === 3 && bench.begun.length === 2,
  );
  expect(bench.begun).toEqual(['deaf', 'a']);
  end('a');
  await eventually('the next to run in the slot', () => bench.begun.length === 3);
  end('deaf');
  await eventually('another in the slot that was held', () => bench.begun.length === 4);
  end('b');
  end('c');
  await eventually('all to be settled', () => backend.applied.length === 4);
  worker.stop();
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(bench.begun).toEqual(['deaf', 'a', 'b', 'c']);
  expect(most()).toBe(2);
  expect(bench.told.filter((name) => name === 'JobSettlementLost')).toEqual([]);
});

test('a stop gives back what waits, and goes on to wait for what runs', async () => {
  const { backend, bench, worker, run, end, ready } = await deaf({ concurrency: 2 }, ['a', 'b']);
  await eventually(
    'one more than there are slots to come',
    () => backend.sent === 3 && bench.begun.length === 2,
  );
  worker.stop();
  await eventually('it to be back', () => bench.told.includes('JobDeferred'));
  expect(await ready()).toBe(1);
  end('a');
  end('deaf');
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(bench.begun).toEqual(['deaf', 'a']);
  expect(bench.told).toEqual(['JobReleased', 'JobDeferred', 'JobSucceeded']);
});

test('a forced stop gives back what waits and what runs', async () => {
  const { backend, bench, worker, run, ready } = await deaf({ concurrency: 2 }, ['a', 'b']);
  await eventually(
    'one more than there are slots to come',
    () => backend.sent === 3 && bench.begun.length === 2,
  );
  await worker.forceStop();
  expect(await run).toMatchObject({ exitCode: 1 });
  expect(bench.begun).toEqual(['deaf', 'a']);
  expect(await ready()).toBe(2);
});

test('what waits and is lost with its channel is dropped, and no other handler is begun for it', async () => {
  const { backend, bench, worker, run, end, most } = await deaf({ concurrency: 2 }, ['a', 'b']);
  await eventually(
    'one more than there are slots to come',
    () => backend.sent === 3 && bench.begun.length === 2,
  );
  await backend.disconnect();
  await eventually('both to be sent again', () => backend.sent === 5);
  end('a');
  await eventually('all to be settled', () => backend.applied.length >= 2);
  end('b');
  await eventually('b to be settled too', () => backend.applied.length === 3);
  worker.stop();
  end('deaf');
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(most()).toBe(2);
  expect(bench.begun.filter((label) => label === 'b')).toEqual(['b']);
  expect(bench.told.filter((name) => name === 'JobSettlementLost')).toHaveLength(1);
});

test('a worker whose only slot is abandoned ends with 1, when what came for it is back', async () => {
  const backend = new SendingBackend();
  const bench = new WorkerBench(backend, [Limited, Unlimited]);
  bench.handler = () => new Promise(() => undefined);
  await bench.queue.push(new Limited('deaf'), { maxAttempts: 2 });
  await bench.queue.push(new Unlimited('next'));
  const returned = deferred();
  backend.nextSettlements.push('applied', returned.promise);
  let result: unknown = 'it runs';
  const run = bench
    .worker({ timeoutGraceSeconds: 0 })
    .run()
    .then((ended) => (result = ended));
  await eventually('the next to go back', () => backend.nextSettlements.length === 0);
  await new Promise((resolve) => setImmediate(resolve));
  expect(result).toBe('it runs');
  returned.resolve();
  await run;
  expect(result).toMatchObject({ exitCode: 1, reason: expect.stringContaining('slots') });
  expect(bench.begun).toEqual(['deaf']);
  expect(await backend.inner.count('default')).toMatchObject({ ready: 1, delayed: 1 });
  expect(backend.applied).toEqual(['release', 'release']);
});
