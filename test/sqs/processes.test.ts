import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Work } from '../support/apps/work.job.js';
import { optionsOf } from '../support/conformance/sqs-harness.js';
import { waitFor } from '../support/eventually.js';
import { ServerBench } from '../support/server-bench.js';
import { isTested } from '../support/servers.js';
import { openSqs, type SqsBench, startEmulator } from '../support/sqs-queue.js';
import { temporaryFolder } from '../support/sqlite-queue.js';

const JOBS = 500;
const PROCESSES = 3;

describe.runIf(isTested('sqs'))('worker processes on SQS', async () => {
  const emulator = await startEmulator();
  beforeEach(async () => {
    await emulator.deleteQueue('work');
    await emulator.createQueue('work');
  });

  async function openBench(leaseSeconds: number): Promise<SqsBench & { readonly bench: ServerBench }> {
    const sqs = await openSqs(emulator);
    const bench = new ServerBench({ driver: 'sqs', ...optionsOf(sqs.gateway) }, leaseSeconds);
    onTestFinished(() => bench.close());
    return { ...sqs, bench };
  }

  const left = async (): Promise<number> => {
    const held = await emulator.inspect('work');
    return (held?.ready.length ?? 0) + (held?.delayed.length ?? 0) + (held?.inflight.length ?? 0);
  };

  it(`run ${JOBS} jobs once each, and none of them sees an error`, { timeout: 60_000 }, async () => {
    const { api, bench } = await openBench(90);
    await api.pushMany(Array.from({ length: JOBS }, (_, n) => new Work(n, 'quick')));
    for (let count = 0; count < PROCESSES; count += 1) bench.startWorker('--concurrency=20');
    await bench.ledger.seen('JobSucceeded', JOBS, 50_000);
    expect(await bench.stop()).toEqual(Array.from({ length: PROCESSES }, () => 0));
    expect(new Set(bench.ledger.of('start').map(({ n }) => n)).size).toBe(JOBS);
    expect(bench.ledger.count('start')).toBe(JOBS);
    expect(bench.logged('warn', 'error', 'fatal')).toEqual([]);
    expect(await left()).toBe(0);
  });

  it('give a job of a killed one to another, as its second attempt', { timeout: 60_000 }, async () => {
    const folder = temporaryFolder();
    onTestFinished(() => folder.remove());
    const holdFile = join(folder.path, 'hold');
    vi.stubEnv('HOLD_FILE', holdFile);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { api, bench } = await openBench(5);
    await api.push(new Work(1, 'hold'));
    const killed = bench.startWorker();
    await bench.ledger.seen('start', 1, 30_000);
    await killed.kill();
    bench.startWorker();
    await bench.ledger.seen('start', 2, 30_000);
    writeFileSync(holdFile, '');
    await bench.ledger.seen('JobSucceeded', 1, 30_000);
    await waitFor('the queue to be empty', async () => (await left()) === 0);
    expect(bench.ledger.of('start').map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect((await bench.stop()).at(-1)).toBe(0);
  });
});
