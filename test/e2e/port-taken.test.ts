import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sampleFolder, SampleProcess } from '../support/sample-process.js';

// Processes that start on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 120_000 });

test('npm start says one sentence about a port that is taken, and ends', async () => {
  const { env } = await sampleFolder();
  const server = createServer().listen(0);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const start = new SampleProcess({ ...env, PORT: String(port) }, 'scripts/start.mjs');
  expect(await start.exit()).toBe(1);
  const said = start.output.split('\n').filter((line) => line !== '' && !line.startsWith('Building'));
  expect(said).toEqual([`Port ${port} is taken: set PORT to another, or end what listens there.`]);
});

test.each(['abc', '65536'])('npm start says one line about PORT=%s, and ends with 64', async (port) => {
  const { env } = await sampleFolder();
  const start = new SampleProcess({ ...env, PORT: port }, 'scripts/start.mjs');
  expect(await start.exit()).toBe(64);
  const said = start.output.split('\n').filter((line) => line !== '' && !line.startsWith('Building'));
  expect(said).toEqual([`PORT: expected a whole number from 0 to 65535, came "${port}".`]);
});
