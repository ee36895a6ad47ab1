import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Queue, QueueAdmin, QueueConsumer } from '../../lib/queue/index.js';
import { Work } from '../support/apps/work.job.js';
import { ProcessBench } from '../support/process-bench.js';
import type { WorkerProcess } from '../support/worker-process.js';

const LEASE_SECONDS = 1;

let bench: ProcessBench;
let queue: Queue;

beforeEach(async () => {
  bench = new ProcessBench();
  queue = await bench.open(LEASE_SECONDS);
});

afterEach(() => bench.close());

function startWorker(holdFile: string, leaseSeconds = LEASE_SECONDS): WorkerProcess {
  return bench.startWorker('work-worker', { leaseSeconds, holdFile, args: ['--queue=work'] });
}

/** A job that a stopped process believes to hold, that failed for good meanwhile and was retried from the failed store. */
async function retriedBehindItsBack(): Promise<{ readonly id: string; readonly sleeper: WorkerProcess }> {
  const id = await queue.push(new Work(0, 'hold'));
  const sleeper = startWorker('hold-sleeper');
  await bench.seen('start', 1, sleeper.pid);
  sleeper.signal('SIGSTOP');
  const consumer = new QueueConsumer(queue);
  const again = await consumer.pop(20, ['work']);
  if (again === null) throw new Error('Expected the job of the stalled worker to come back after its lease.');
  expect(again).toMatchObject({ id, attempts: 2 });
  await consumer.fail(again, new Error('given up on'));
  expect(await new QueueAdmin(queue).failed.retry(id)).toBe('retried');
  return { id, sleeper };
}

describe('a job that is retried from the failed store while a stalled worker holds its first delivery', () => {
  it('is not touched by the late ack while another worker runs it again', async () => {
    const { id, sleeper } = await retriedBehindItsBack();
    const successor = startWorker('hold-successor', 30);
    const [retried] = await bench.seen('start', 1, successor.pid);
    expect(retried).toMatchObject({ id, attempt: 1 });
    bench.letGo('hold-sleeper');
    sleeper.signal('SIGCONT');
    await bench.seen('JobSettlementLost', 1, sleeper.pid);
    expect(await queue.counts('work')).toMatchObject({ ready: 0, reserved: 1, failed: 0 });
    bench.letGo('hold-successor');
    await bench.seen('JobSucceeded', 1, successor.pid);
    expect(bench.lines('JobSucceeded')).toHaveLength(1);
    expect(await queue.counts('work')).toMatchObject({ ready: 0, reserved: 0, failed: 0 });
  });

  it('is not taken away by the late ack while it waits, and is delivered afterwards', async () => {
    const { id, sleeper } = await retriedBehindItsBack();
    bench.letGo('hold-sleeper');
    sleeper.signal('SIGCONT');
    await bench.seen('JobSettlementLost', 1, sleeper.pid);
    // The sleeper goes on working, so it is the one that meets the retried job now.
    await bench.seen('JobSucceeded', 1, sleeper.pid);
    expect(bench.lines('start')).toMatchObject([
      { id, attempt: 1 },
      { id, attempt: 1 },
    ]);
    expect(bench.lines('JobSucceeded')).toHaveLength(1);
    expect(bench.lines('JobSettlementLost')).toHaveLength(1);
    expect(await queue.counts('work')).toMatchObject({ ready: 0, reserved: 0, failed: 0 });
  });
});
