import { expect, test, vi } from 'vitest';
import { sampleFolder, SampleProcess } from '../support/sample-process.js';
import { waitFor } from '../support/eventually.js';

const START = 'scripts/start.mjs';

// Processes that start on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 120_000 });

function post(url: string, body: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.text();
  return response.status;
}

test('npm start runs a web application and a worker, which sends the mail of a registration', async () => {
  const { env, read } = await sampleFolder();
  const start = new SampleProcess(env, START);
  const address = await start.printed(/^Open +(http:\S+)/m);
  await start.printed(/worker: started mail, reports/);
  const own = start.output.split('\n').filter((line) => line !== '' && !line.includes('worker: '));
  expect(own.length).toBeLessThanOrEqual(4);
  expect(await statusOf(`${address}/health/ready`)).toBe(200);
  expect(await statusOf(`${address}/health`)).toBe(200);
  expect(await (await fetch(address)).text()).toContain('POST /registrations');

  const registered = await post(`${address}/registrations`, { email: 'ada@example.com', name: 'Ada' });
  expect(registered.status).toBe(201);
  await start.printed(/ran SendWelcomeEmail from "mail" in [\d.]+ ms \(attempt 1\)/);
  const mail = JSON.parse(read('outbox.log')) as Record<string, string>;
  expect(mail).toMatchObject({ to: 'ada@example.com', subject: 'Welcome, Ada' });
  expect(mail['text']).toContain(new Date().getUTCFullYear());

  const month = new Date().toISOString().slice(0, 7);
  expect((await post(`${address}/reports`, {})).status).toBe(202);
  await start.printed(/ran BuildReport from "reports"/);
  expect(read('reports.log')).toBe(`${month}: 1 registrations\n`);

  const token = /with ([0-9a-f]{32})/.exec(mail['text'] ?? '')?.[1];
  expect(token).toBeDefined();
  expect(start.output).not.toContain(token);

  start.signal('SIGTERM');
  expect(await start.exit()).toBe(0);
  await expect(fetch(address)).rejects.toThrow();
});

test('the command that npm start shows pushes a job', async () => {
  const { env } = await sampleFolder();
  const start = new SampleProcess(env, START);
  const command = await start.printed(/^Try +(curl .+)$/m);
  const [, fields, url] = /^curl ((?:-d \S+ )+)(\S+)$/.exec(command) ?? [];
  const body = new URLSearchParams((fields ?? '').replaceAll(/-d (\S+) /g, '$1&').replace(/&$/, ''));
  expect((await fetch(url ?? '', { method: 'POST', body })).status).toBe(201);
  await start.printed(/ran SendWelcomeEmail/);
});

test('one Ctrl-C that arrives twice, from the terminal and from npm, ends both in order', async () => {
  const { env } = await sampleFolder();
  const start = new SampleProcess(env, START);
  await start.printed(/worker: started/);
  start.signal('SIGINT');
  start.signal('SIGINT');
  expect(await start.exit()).toBe(0);
  expect(start.output).toContain('worker: stopped');
});

test('when the worker dies, npm start ends the web application too and fails', async () => {
  const { env } = await sampleFolder();
  const start = new SampleProcess({ ...env, QUEUE_CONCURRENCY: 'many' }, START);
  const address = await start.printed(/^Open +(http:\S+)/m);
  expect(await start.exit()).toBe(1);
  expect(start.output).toContain('The worker ended with 64.');
  await expect(fetch(address)).rejects.toThrow();
});

test('when npm is ended, what npm start started ends with it', async () => {
  const { env } = await sampleFolder();
  const start = `require('node:child_process').spawn(process.execPath, ['${START}'], { stdio: 'inherit' })`;
  const npm = new SampleProcess({ ...env, npm_lifecycle_event: 'start' }, '-e', start);
  await npm.printed(/worker: started/);
  npm.signal('SIGKILL');
  // Its output is closed once the last process that has it has ended.
  await npm.exit();
  expect(npm.output).toContain('worker: stopped');
});

test('more waiting jobs than the limit make /health/backlog 503 until a worker has run them', async () => {
  const { env } = await sampleFolder();
  const migrate = new SampleProcess(env, 'dist/migrate.js');
  expect(await migrate.exit()).toBe(0);
  const web = new SampleProcess({ ...env, SAMPLE_BACKLOG_LIMIT: '2' }, 'dist/main.js');
  const address = await web.printed(/Listening on (http:\S+)/);
  for (let pushed = 0; pushed < 2; pushed += 1) await post(`${address}/reports`, {});
  expect(await statusOf(`${address}/health/backlog`)).toBe(200);
  await post(`${address}/reports`, {});
  const answer = await fetch(`${address}/health/backlog`);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({
    details: {
      mail: { status: 'up' },
      reports: { status: 'down', waiting: 3, maxWaiting: 2 },
    },
  });
  expect(await statusOf(`${address}/health/ready`)).toBe(200);

  const worker = new SampleProcess(env, 'dist/worker.js', '--queue=mail,reports');
  await waitFor('200 of /health/backlog', async () => (await statusOf(`${address}/health/backlog`)) === 200);
  worker.signal('SIGTERM');
  expect(await worker.exit()).toBe(0);
  web.signal('SIGTERM');
  expect(await web.exit()).toBe(0);
});

test('what cannot be registered is refused and pushes nothing', async () => {
  const { env } = await sampleFolder();
  await new SampleProcess(env, 'dist/migrate.js').exit();
  const web = new SampleProcess({ ...env, SAMPLE_BACKLOG_LIMIT: '0' }, 'dist/main.js');
  const address = await web.printed(/Listening on (http:\S+)/);
  expect((await post(`${address}/registrations`, { email: 'ada@example.com' })).status).toBe(400);
  expect((await post(`${address}/reports`, { month: '2026-13' })).status).toBe(400);
  expect(await statusOf(`${address}/health/backlog`)).toBe(200);
});
