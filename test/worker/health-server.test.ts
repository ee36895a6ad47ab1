import { afterEach, expect, test } from 'vitest';
import { ConnectionFailed } from '../../lib/contract/index.js';
import { WorkerHealthServer, type WorkerStatus } from '../../lib/worker/index.js';
import { deferred, eventually } from '../support/eventually.js';
import { WorkerBench } from '../support/worker-bench.js';

const open: WorkerHealthServer[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function serve(worker: { readonly status: WorkerStatus }, leaseSeconds = 90): Promise<string> {
  const server = new WorkerHealthServer(worker, { port: 0, host: '127.0.0.1', leaseSeconds });
  open.push(server);
  return `http://127.0.0.1:${await server.listen()}`;
}

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.json();
  return response.status;
}

test('a worker is ready from when it has reached its backend until it is told to stop', async () => {
  const bench = new WorkerBench();
  const connected = deferred();
  bench.backend.nextConnects.push(connected.promise);
  const worker = bench.worker();
  const url = await serve(worker);
  expect(await statusOf(`${url}/ready`)).toBe(503);
  const run = worker.run();
  expect(await statusOf(`${url}/ready`)).toBe(503);
  connected.resolve();
  await eventually('the backend to be reached', () => worker.status.reached);
  expect(await statusOf(`${url}/ready`)).toBe(200);
  worker.stop();
  expect(await statusOf(`${url}/ready`)).toBe(503);
  await run;
  expect(await statusOf(`${url}/live`)).toBe(200);
});

test('a worker is not ready while its server is lost, but live', async () => {
  const bench = new WorkerBench();
  bench.backend.serverDown = new ConnectionFailed('redis://user:s3cret@host refused');
  const worker = bench.worker();
  const url = await serve(worker);
  const run = worker.run();
  await eventually('the outage', () => bench.logged('worker.connection-lost').length === 1);
  const response = await fetch(`${url}/ready`);
  expect(response.status).toBe(503);
  expect(await response.text()).not.toContain('s3cret');
  expect(await statusOf(`${url}/live`)).toBe(200);
  worker.stop();
  await run;
});

test('a loop that has not turned within a lease is not live', async () => {
  const status = {
    sinceLastTurnMs: 91_000,
    pollTimeoutSeconds: 5,
    reached: true,
    stopping: false,
    running: 1,
    jobs: [],
  };
  const url = await serve({ status });
  expect(await statusOf(`${url}/live`)).toBe(503);
  status.sinceLastTurnMs = 89_000;
  expect(await statusOf(`${url}/live`)).toBe(200);
});

test('a reserve that is never answered makes the loop late, a job that takes long does not', async () => {
  const bench = new WorkerBench();
  const hung = deferred();
  bench.backend.holdReserve = hung.promise;
  const worker = bench.worker();
  const run = worker.run();
  await eventually('the loop to be late', () => worker.status.sinceLastTurnMs > 5);
  await bench.push('a');
  const job = deferred();
  bench.handler = () => job.promise;
  hung.resolve();
  await eventually('the job to run', () => worker.status.running === 1);
  await eventually('the loop to wait for a slot', () => worker.status.sinceLastTurnMs === 0);
  worker.stop();
  job.resolve();
  await run;
});

test('other paths are 404, other methods 405, a query does not matter', async () => {
  const url = await serve(new WorkerBench().worker());
  expect(await statusOf(`${url}/`)).toBe(404);
  expect(await statusOf(`${url}/live?probe=1`)).toBe(200);
  const posted = await fetch(`${url}/live`, { method: 'POST' });
  expect(posted.status).toBe(405);
});

test('a port that is taken rejects, and closing ends kept connections and can be done twice', async () => {
  const first = new WorkerHealthServer(new WorkerBench().worker(), { port: 0, leaseSeconds: 90 });
  const port = await first.listen();
  const second = new WorkerHealthServer(new WorkerBench().worker(), { port, leaseSeconds: 90 });
  await expect(second.listen()).rejects.toThrow(/EADDRINUSE/);
  await second.close();
  await fetch(`http://127.0.0.1:${port}/live`, { headers: { connection: 'keep-alive' } });
  await first.close();
  await first.close();
  await expect(fetch(`http://127.0.0.1:${port}/live`)).rejects.toThrow();
});
