import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parseFlags } from '../../lib/module/configuration/flags.js';
import type { Queue } from '../../lib/queue/index.js';
import { Work } from '../support/apps/work.job.js';
import { waitFor } from '../support/eventually.js';
import { ProcessBench } from '../support/process-bench.js';
import { temporaryFolder } from '../support/sqlite-queue.js';
import { hasProcessOne, ProcessOne } from './process-one.js';

// Processes that start on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 90_000 });

const dockerfile = readFileSync('docs/deploying/Dockerfile', 'utf8');
const [, cmd = ''] = /^CMD (.*)$/m.exec(dockerfile) ?? [];
const folder = temporaryFolder();

let bench: ProcessBench;
let queue: Queue;
let started: ProcessOne | null = null;

beforeEach(async () => {
  bench = new ProcessBench();
  queue = await bench.open(90);
  await queue.push(new Work(0, 'hold'));
});

afterEach(async () => {
  await started?.kill();
  started = null;
  await bench.close();
});

afterAll(() => folder.remove());

/** The command of the Dockerfile, with a worker of the tests in place of the application's. */
const node = process.execPath;
const script = join(process.cwd(), 'build/apps/work-worker.js');
const worker = [node, script, '--queue=work', '--poll-timeout=1'];

test('CMD is in exec form, with flags that a worker takes', () => {
  const command: unknown = JSON.parse(cmd);
  expect(command).toEqual(['node', 'dist/worker', '--health-port=8080']);
  expect(parseFlags((command as string[]).slice(2)).given).toEqual({ healthPort: 8080 });
  expect(dockerfile).toContain('EXPOSE 3000 8080');
});

test('the command of the image drains after SIGTERM, live and not ready, and exits with 0', async () => {
  const process = bench.startWorker('work-worker', { leaseSeconds: 90, args: ['--health-port=0'] });
  await bench.seen('start');
  const [, port] = /"event":"worker\.health".*"port":(\d+)/.exec(process.output) ?? [];
  const probe = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  expect([await probe('/live'), await probe('/ready')]).toEqual([200, 200]);
  process.signal('SIGTERM');
  await waitFor('the drain', () => process.output.includes('worker.draining'));
  expect([await probe('/live'), await probe('/ready')]).toEqual([200, 503]);
  bench.letGo();
  expect(await process.exit()).toBe(0);
  expect(await queue.counts('work')).toMatchObject({ ready: 0, reserved: 0 });
});

async function startInJob(command: readonly string[], cwd?: string): Promise<ProcessOne> {
  // Those of the bench's own workers, which read and write beside its database.
  const files = dirname(bench.databaseFile);
  const env = {
    ...process.env,
    DATABASE_FILE: bench.databaseFile,
    LEDGER_FILE: join(files, 'ledger'),
    HOLD_FILE: join(files, 'hold'),
    LEASE_SECONDS: '90',
  };
  started = new ProcessOne(command, { env, ...(cwd === undefined ? {} : { cwd }) });
  await bench.seen('start');
  return started;
}

// What a kernel and a shell do, which a machine that allows no namespaces does not change: no reason to fail there.
if (!hasProcessOne)
  console.log('not tested here: commands as process 1, for which unshare needs user namespaces');

const describeThere = hasProcessOne ? describe : null;

describeThere?.('as process 1, in the middle of a job', () => {
  test('node gets SIGTERM: the job ends, and the exit code is 0', async () => {
    const one = await startInJob(worker);
    one.signal('SIGTERM');
    await waitFor('the drain', () => one.output.includes('worker.draining'));
    bench.letGo();
    expect(await one.exit()).toBe(0);
    expect(await queue.counts('work')).toMatchObject({ ready: 0, reserved: 0 });
  });

  test('a shell that stays keeps SIGTERM from the worker, which goes on to take jobs', async () => {
    // As Debian's sh does with every command. The last word keeps shells that replace themselves from doing so.
    const one = await startInJob(['/bin/sh', '-c', `${worker.join(' ')}; true`]);
    one.signal('SIGTERM');
    await queue.push(new Work(1, 'quick'));
    bench.letGo();
    await bench.seen('JobSucceeded', 2);
    expect(one.hasExited).toBe(false);
    expect(one.output).not.toContain('worker.stopping');
  });

  test('npm run ends at SIGTERM, and the job with it, which stays reserved', async () => {
    const scripts = { worker: worker.join(' ') };
    writeFileSync(
      join(folder.path, 'package.json'),
      JSON.stringify({ name: 'shop', version: '1.0.0', scripts }),
    );
    const one = await startInJob(['npm', 'run', 'worker'], folder.path);
    one.signal('SIGTERM');
    expect(await one.exit()).not.toBe(0);
    expect(one.output).not.toContain('worker.draining');
    expect(await queue.counts('work')).toMatchObject({ ready: 0, reserved: 1 });
  });
});
