import { expect, test } from 'vitest';
import type { QueueBackend } from '../../lib/contract/index.js';
import { newJob } from '../support/redis-queue.js';
import { commandLine } from './support/command-line.js';
import { crippledFolder } from './support/config-file.js';
import { filled } from './support/filled.js';
import { sqliteStore, STORES } from './support/stores.js';

async function waitingOn(backend: QueueBackend, queue: string): Promise<number> {
  const { ready, delayed } = await backend.count(queue);
  return ready + (delayed ?? 0);
}

test.each(STORES)('clear discards what waits, and leaves what a worker holds, on %s', async (_, open) => {
  const { env, backend } = await open();
  await filled(backend);
  const { code, out, err } = await commandLine(['clear', '--queue=mail,imports', '--force'], { env });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatchInlineSnapshot(`
    ""mail": discarded 4 jobs; workers keep 1 job
    "imports": discarded 1 job
    "
  `);
  expect(await backend.count('mail')).toMatchObject({ ready: 0, delayed: 0, reserved: 1 });
  expect(await waitingOn(backend, 'imports')).toBe(0);
});

test.each(STORES)('clear without --force says what it would do, and does nothing, on %s', async (_, open) => {
  const { env, backend } = await open();
  await filled(backend);
  const { code, out, err } = await commandLine(['clear', '--queue=mail,imports'], { env });
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatchInlineSnapshot(`
    "clear: expected --force, came none: it would discard 4 jobs of "mail", 1 job of "imports" for good. Nothing was changed.
    "
  `);
  expect(await waitingOn(backend, 'mail')).toBe(4);
});

test.each(STORES)('a paused queue gives no job to a worker until it is resumed, on %s', async (_, open) => {
  const { env, backend } = await open();
  await backend.store([newJob()]);
  const paused = await commandLine(['pause', '--queue=mail', '--queue=imports'], { env });
  expect(paused).toEqual({ code: 0, out: '"mail": paused\n"imports": paused\n', err: '' });
  expect(await backend.reserve(['mail'], 1)).toEqual([]);
  const resumed = await commandLine(['resume', '--queue=mail,imports', '--json'], { env });
  expect(JSON.parse(resumed.out)).toEqual({ connection: 'default', resumed: ['mail', 'imports'] });
  expect(await backend.reserve(['mail'], 1)).toHaveLength(1);
});

test.each([
  [['clear', '--force'], 64, '--queue: expected the queues to clear, came nothing.'],
  [['pause'], 64, '--queue: expected the queues to pause, came nothing.'],
  [['resume'], 64, '--queue: expected the queues to resume, came nothing.'],
  [['clear', '--force', '--queue=mail,a b'], 64, '--queue: expected queue names'],
  [['pause', '--queue=mail,a.b'], 64, '--queue: expected queue names'],
])('%j ends with %d, and touches nothing', async (argv, expected, message) => {
  const { env, backend } = await sqliteStore();
  await filled(backend);
  const { code, out, err } = await commandLine(argv, { env });
  expect({ code, out }).toEqual({ code: expected, out: '' });
  expect(err).toContain(message);
  expect(await backend.count('mail')).toMatchObject({ ready: 3, delayed: 1, paused: false });
});

test.each([
  [['clear', '--queue=mail', '--force'], { clear: false }, 'its backend "crippled" cannot'],
  [['pause', '--queue=mail'], { pause: false }, '"crippled" of connection "default" cannot pause a queue'],
  [['resume', '--queue=mail'], { pause: false }, '"crippled" of connection "default" cannot pause a queue'],
])('%j on a backend that cannot ends with 1, and touches nothing', async (argv, capabilities, message) => {
  const store = await sqliteStore();
  await filled(store.backend);
  const folder = await crippledFolder(store, capabilities);
  const { code, out, err } = await commandLine([...argv, '--config=config.mjs'], { folder });
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain(message);
  expect(await store.backend.count('mail')).toMatchObject({ ready: 3, delayed: 1, paused: false });
});
