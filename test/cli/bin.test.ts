import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../support/eventually.js';
import { newJob } from '../support/redis-queue.js';
import { folderWith } from './support/config-file.js';
import { filled } from './support/filled.js';
import { BIN, kinetisQueue } from './support/kinetis-queue.js';
import { sqliteStore, STORES } from './support/stores.js';

test.each(STORES)('the built command counts, moves nothing and ends by itself, on %s', async (_, open) => {
  const { env, backend } = await open();
  await filled(backend);
  const { code, out } = await kinetisQueue(['stats'], { env });
  expect(code).toBe(0);
  expect(out).toMatch(/^total +4 +1 +1 +1 /m);
});

test('exit codes are those of the process', async () => {
  const { env } = await sqliteStore();
  const codes = await Promise.all([
    kinetisQueue(['--help']),
    kinetisQueue(['clear', '--queue=mail'], { env }),
    kinetisQueue(['stats'], { env: {} }),
    kinetisQueue(['stats'], { env: { QUEUE_CONNECTION: 'redis', REDIS_PORT: '1' } }),
  ]);
  expect(codes.map(({ code }) => code)).toEqual([0, 1, 64, 69]);
});

test('a file of --config that leaves something open does not keep the process', async () => {
  const folder = await folderWith({
    'config.mjs': `
      import { sql } from ${JSON.stringify(`${process.cwd()}/dist/lib/sql.js`)};
      setInterval(() => undefined, 1_000);
      export default { default: sql({ connection: { driver: 'sqlite', file: process.env.QUEUE_FILE } }) };`,
  });
  const { env } = await sqliteStore();
  const { code, err } = await kinetisQueue(['stats', '--config=config.mjs'], {
    env: { QUEUE_FILE: env['DB_DATABASE'] ?? '' },
    folder,
  });
  expect({ code, err }).toEqual({ code: 0, err: '' });
});

async function watching() {
  const { env, backend } = await sqliteStore();
  await backend.store([newJob()]);
  const child = spawn(process.execPath, [BIN, 'stats', '--watch', '--interval=0.05'], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  const ended = once(child, 'exit');
  await waitFor('two counts', () => out.split('total').length > 2);
  return { child, ended };
}

test('SIGINT ends stats --watch with 0', async () => {
  const { child, ended } = await watching();
  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
});

test('a reader that has seen enough ends it without a word', async () => {
  const { child, ended } = await watching();
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdout.destroy();
  expect(await ended).toEqual([0, null]);
  expect(err).toBe('');
});
