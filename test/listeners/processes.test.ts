import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Queue } from '../../lib/queue/index.js';
import { ProcessBench } from '../support/process-bench.js';

const ORDERS = 20;
const LEASE_SECONDS = 30;

let bench: ProcessBench;
let queue: Queue;

beforeEach(async () => {
  bench = new ProcessBench();
  queue = await bench.open(LEASE_SECONDS);
});

afterEach(() => bench.close());

it('a web process that emits and closes at once leaves a job for each event, which a worker without emitter runs', async () => {
  const env = { ORDERS: String(ORDERS) };
  const web = bench.startWorker('listeners-web', { leaseSeconds: LEASE_SECONDS, env });
  expect([await web.exit(), web.output.includes('ERROR')]).toEqual([0, false]);
  expect(await queue.counts('receipts')).toMatchObject({ ready: ORDERS });
  expect(bench.ledger()).toEqual([]);

  const worker = bench.startWorker('listeners-worker', {
    leaseSeconds: LEASE_SECONDS,
    env: { WITHOUT_EMITTER: '1' },
  });
  await bench.seen('JobSucceeded', ORDERS);
  worker.signal('SIGTERM');
  expect(await worker.exit()).toBe(0);

  const heard = bench.lines('heard');
  expect(heard.every(({ pid, rebuilt }) => pid === worker.pid && rebuilt === true)).toBe(true);
  expect(new Set(heard.map(({ n }) => n)).size).toBe(ORDERS);
  expect(heard.filter(({ n }) => n === 0).map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect(heard.find(({ n }) => n === 1)?.['name']).toBe('order.invoiced');
  // Once an attempt, and never where it was emitted.
  expect(bench.lines('made')).toHaveLength(ORDERS + 1);
  expect(bench.lines('made', worker.pid)).toHaveLength(ORDERS + 1);
  expect(await queue.counts('receipts')).toMatchObject({ ready: 0, delayed: 0, reserved: 0 });
  const remark = worker.output.split('\n').find((line) => line.includes('There is no EventEmitter2'));
  expect(remark).toContain('"level":"debug"');
});

it('a worker with the same module as the web process calls each listener once, and pushes nothing', async () => {
  const env = { ORDERS: '3' };
  const worker = bench.startWorker('listeners-worker', { leaseSeconds: LEASE_SECONDS });
  const web = bench.startWorker('listeners-web', { leaseSeconds: LEASE_SECONDS, env });
  expect(await web.exit()).toBe(0);
  await bench.seen('JobSucceeded', 3);
  worker.signal('SIGTERM');
  expect(await worker.exit()).toBe(0);
  expect(bench.lines('heard', worker.pid)).toHaveLength(4);
  expect(bench.lines('heard')).toHaveLength(4);
  expect(await queue.counts('receipts')).toMatchObject({ ready: 0, delayed: 0, reserved: 0 });
});
