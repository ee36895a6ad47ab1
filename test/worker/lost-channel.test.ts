import { expect, test } from 'vitest';
import { encodeBody, LeaseLostException, newHeader } from '../../lib/contract/index.js';
import { JobSettlementLost, JobStarted, JobSucceeded } from '../../lib/events/index.js';
import { WorkerBench } from '../support/worker-bench.js';

const EVENTS = [JobStarted, JobSucceeded, JobSettlementLost];

/** A bench whose next reserve hands out one delivery that came by a channel. */
function deliveredBy(channel: AbortSignal): WorkerBench {
  const bench = new WorkerBench();
  bench.backend.extraItems.push({
    queue: 'default',
    receipt: { entry: { state: 'gone' }, serial: 1 },
    header: newHeader({ leaseSeconds: null, priority: 0, uniqueKey: null }),
    body: encodeBody({
      id: 'a'.repeat(32),
      pushedAt: new Date().toISOString(),
      class: 'LabelledJob',
      args: { label: 'a', secret: 'b' },
      maxAttempts: null,
      metadata: {},
      chain: [],
    }),
    leaseSeconds: null,
    lost: channel,
  });
  return bench;
}

test('the signal of a delivery aborts when the channel that it came by is closed', async () => {
  const channel = new AbortController();
  const bench = deliveredBy(channel.signal);
  let reason: unknown;
  bench.handler = (delivery) => {
    channel.abort(new Error('connection reset'));
    reason = delivery.signal.reason;
  };
  await bench.worker({}, EVENTS).processNext(1);
  expect(reason).toBeInstanceOf(LeaseLostException);
  expect(reason).toMatchObject({ cause: { message: 'connection reset' } });
  expect(bench.told).toEqual(['JobStarted', 'JobSettlementLost']);
});

test('a delivery that was lost before it began is not run, and is told as lost', async () => {
  const channel = new AbortController();
  channel.abort(new Error('connection reset'));
  const bench = deliveredBy(channel.signal);
  await bench.worker({}, EVENTS).processNext(1);
  expect(bench.begun).toEqual([]);
  expect(bench.backend.settlements).toEqual([]);
  expect(bench.told).toEqual(['JobSettlementLost']);
});

test('a channel that outlives many deliveries keeps none of their listeners', async () => {
  const channel = new AbortController();
  let listeners = 0;
  const add = channel.signal.addEventListener.bind(channel.signal);
  const remove = channel.signal.removeEventListener.bind(channel.signal);
  channel.signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners += 1;
    add(...args);
  };
  channel.signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...args);
  };
  await deliveredBy(channel.signal).worker({}, EVENTS).processNext(1);
  expect(listeners).toBe(0);
});
