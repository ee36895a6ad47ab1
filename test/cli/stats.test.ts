import { expect, test } from 'vitest';
import { newJob } from '../support/redis-queue.js';
import { commandLine } from './support/command-line.js';
import { filled } from './support/filled.js';
import { STORES } from './support/stores.js';

/** How long ago something was is another number at each run. */
const withoutTimes = (text: string): string =>
  text.replaceAll(/ *\d+ s\b/g, ' <age>').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');

test.each(STORES)('stats shows each queue and the total, on %s', async (_, open) => {
  const { env, backend } = await open();
  await filled(backend);
  const { code, out, err } = await commandLine(['stats'], { env });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(withoutTimes(out)).toMatchInlineSnapshot(`
    "queue    ready  delayed  reserved  failed  oldest ready
    imports      1        0         0       0 <age>  paused
    mail         3        1         1       0 <age>
    reports      0        0         0       1             –
    total        4        1         1       1 <age>
    "
  `);
});

test.each(STORES)('stats --json is one object, on %s', async (_, open) => {
  const { env, backend } = await open();
  await filled(backend);
  const { out } = await commandLine(['stats', '--queue=mail', '--queue=imports,empty', '--json'], { env });
  const age = expect.any(Number) as number;
  const none = { ready: 0, delayed: 0, reserved: 0, failed: 0, oldestReadySeconds: null, paused: false };
  expect(JSON.parse(out)).toEqual({
    connection: 'default',
    queues: [
      { ...none, queue: 'mail', ready: 3, delayed: 1, reserved: 1, oldestReadySeconds: age },
      { ...none, queue: 'imports', ready: 1, oldestReadySeconds: age, paused: true },
      { ...none, queue: 'empty' },
    ],
    total: { ready: 4, delayed: 1, reserved: 1, failed: 0, oldestReadySeconds: age },
  });
});

test.each(STORES)('stats --watch shows how fast the counts change, on %s', async (_, open) => {
  const { env, backend } = await open();
  const stop = new AbortController();
  let rounds = 0;
  const { code, out } = await commandLine(['stats', '--watch', '--interval=0.2', '--queue=mail', '--json'], {
    env,
    stop: stop.signal,
    onWrite() {
      rounds += 1;
      if (rounds === 1) void backend.store([newJob(), newJob()]);
      if (rounds === 3) stop.abort();
    },
  });
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { queues: { waitingPerSecond: unknown }[] });
  const rates = lines.map(({ queues }) => queues[0]?.waitingPerSecond);
  expect(code).toBe(0);
  expect(rates).toEqual([null, expect.any(Number), expect.any(Number)]);
  expect(Math.max(Number(rates[1]), Number(rates[2]))).toBeGreaterThan(0);
});

test('stats --watch draws in one place on a terminal, and block by block elsewhere', async () => {
  const { env, backend } = await (STORES[0] as (typeof STORES)[number])[1]();
  await filled(backend);
  const argv = ['stats', '--watch', '--interval=0.01', '--rounds=2', '--queue=mail'];
  const plain = await commandLine(argv, { env });
  expect(withoutTimes(plain.out).replaceAll(/[-+]?\d+\.\d/g, '<rate>')).toMatchInlineSnapshot(`
    "default, <time>

    queue  ready  delayed  reserved  failed  oldest ready  waiting/s  failed/s
    mail       3        1         1       0 <age>          –         –
    total      3        1         1       0 <age>          –         –

    default, <time>

    queue  ready  delayed  reserved  failed  oldest ready  waiting/s  failed/s
    mail       3        1         1       0 <age>        <rate>       <rate>
    total      3        1         1       0 <age>        <rate>       <rate>

    "
  `);
  const drawn = await commandLine(argv, { env, isTTY: true });
  expect(drawn.out.split('\x1b[H\x1b[2J')).toHaveLength(3);
});

test.each([
  [['stats', '--interval=2'], 64, '--interval: expected --watch beside it, came none.'],
  [['stats', '--watch', '--interval=0'], 64, '--interval: expected a number of seconds above 0, came "0".'],
  [['stats', '--queue=a b'], 64, '--queue: expected queue names'],
  [['stats', '--queue=mail', '--queue=mail'], 64, 'each once'],
])('%j ends with %d', async (argv, expected, message) => {
  const { env } = await (STORES[0] as (typeof STORES)[number])[1]();
  const { code, out, err } = await commandLine(argv, { env });
  expect({ code, out }).toEqual({ code: expected, out: '' });
  expect(err).toContain(message);
});
