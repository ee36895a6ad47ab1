import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../lib/cli/commands.js';
import { COMMON_OPTIONS } from '../../lib/cli/options.js';
import type { Option } from '../../lib/module/configuration/option.js';
import { freePorts } from '../support/private-redis.js';
import { newJob } from '../support/sql-files.js';
import { commandLine } from './support/command-line.js';
import { crippledFolder, folderWith, sqliteFactory } from './support/config-file.js';
import { sqliteStore } from './support/stores.js';

describe('help', () => {
  test.each([[[]], [['--help']], [['-h']], [['help']]])('%j lists the commands', async (argv) => {
    const { code, out, err } = await commandLine(argv);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const { name, summary } of COMMANDS) expect(out).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'));
    expect(out).toContain('Exit codes: 0 done');
  });

  test.each(COMMANDS.map((command) => [command.name, command] as const))(
    '%s --help tells every flag, and touches nothing',
    async (name, { options }) => {
      const { code, out } = await commandLine([...name.split(' '), '--help']);
      expect(code).toBe(0);
      for (const { flag } of Object.values<Option<unknown>>({ ...options, ...COMMON_OPTIONS })) {
        expect(out).toContain(`--${flag}`);
      }
    },
  );
});

test.each([
  [['stat'], 'came "stat". Did you mean stats? Run with --help.'],
  [['stats', 'mail'], 'Expected flags only, came "mail".'],
  [['stats', '--conection=x'], 'Unknown flag --conection. Did you mean --connection?'],
  [['--json', 'stats'], 'came the flag --json.'],
  [['stats', '--json=yes'], '--json: expected no value'],
])('%j is a usage error', async (argv, message) => {
  const { code, out, err } = await commandLine(argv, { env: { QUEUE_CONNECTION: 'sql' } });
  expect({ code, out }).toEqual({ code: 64, out: '' });
  expect(err).toContain(message);
});

describe('connections', () => {
  test('come from the environment, by --connection or QUEUE_CONNECTION_NAME', async () => {
    const { env, backend } = await sqliteStore('ledger');
    await backend.store([newJob({ queue: 'invoices' })]);
    const all = { ...env, QUEUE_CONNECTION: 'memory', QUEUE_CONNECTIONS: 'default,ledger' };
    const byFlag = await commandLine(['stats', '--connection=ledger'], { env: all });
    expect(byFlag.out).toContain('invoices');
    const byVariable = await commandLine(['stats'], { env: { ...all, QUEUE_CONNECTION_NAME: 'ledger' } });
    expect(byVariable.out).toContain('invoices');
  });

  test('variables of --env-file are below those that are set', async () => {
    const { env, backend } = await sqliteStore();
    await backend.store([newJob({ queue: 'invoices' })]);
    const folder = await folderWith({
      '.env': `QUEUE_CONNECTION=redis\nDB_DATABASE=${env['DB_DATABASE']}\n`,
    });
    const { out } = await commandLine(['stats', '--env-file=.env'], {
      env: { QUEUE_CONNECTION: 'sql' },
      folder,
    });
    expect(out).toContain('invoices');
  });

  test.each([
    ['an object', 'config.mjs', (store: string) => `export default { default: ${store} };`],
    ['a function', 'config.mjs', (store: string) => `export default async () => ({ default: ${store} });`],
    ['CommonJS', 'config.cjs', (store: string) => `module.exports = { default: ${store} };`],
  ])('come from %s of a --config file', async (_, name, textOf) => {
    const store = await sqliteStore();
    await store.backend.store([newJob({ queue: 'invoices' })]);
    const folder = await folderWith({ [name]: textOf(sqliteFactory(store)) });
    const { code, out, err } = await commandLine(['stats', `--config=${name}`], { folder });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('invoices');
  });

  test.each([
    ['missing.mjs', '', 'expected a file that Node.js can load'],
    ['broken.mjs', 'export default {', 'expected a file that Node.js can load'],
    ['throws.mjs', "export default () => { throw new Error('no address'); };", 'came an error: no address.'],
    ['none.mjs', 'export const x = 1;', 'expected a default export such as'],
    ['empty.mjs', 'export default {};', 'came none'],
    ['wrong.mjs', "export default { default: 'redis' };", 'for the connection "default", came "redis"'],
    ['other.mjs', 'export default { other: () => 1 };', 'came "default". Known: "other".'],
    ['odd.mjs', 'export default { default: () => 1 };', 'expected its function to give a QueueBackend'],
  ])('a --config file %s is refused', async (name, text, message) => {
    const folder = await folderWith(text === '' ? {} : { [name]: text });
    const { code, out, err } = await commandLine(['stats', `--config=${name}`], { folder });
    expect({ code, out }).toEqual({ code: 64, out: '' });
    expect(err).toContain(message);
  });

  test('a file of variables that is not there is refused', async () => {
    const { code, err } = await commandLine(['stats', '--env-file=none.env']);
    expect(code).toBe(64);
    expect(err).toContain('--env-file=none.env: expected a file that can be read, came ENOENT.');
  });
});

describe('exit codes', () => {
  const refusals: readonly (readonly [string, Readonly<Record<string, string>>, number, string])[] = [
    ['no connection', {}, 64, 'QUEUE_CONNECTION to be one of'],
    [
      'an unknown connection',
      { QUEUE_CONNECTION_NAME: 'ledger', QUEUE_CONNECTION: 'memory' },
      64,
      'came "ledger"',
    ],
    ['memory', { QUEUE_CONNECTION: 'memory' }, 1, 'keeps its jobs in the process of the application'],
    ['sync', { QUEUE_CONNECTION: 'sync' }, 1, 'runs a job inside its push'],
    ["the application's ORM", { QUEUE_CONNECTION: 'sql' }, 64, 'without the application'],
    [
      'a file that is not there',
      { QUEUE_CONNECTION: 'sql', DB_DATABASE: '/nowhere/q.sqlite' },
      64,
      'to be there',
    ],
  ];

  test.each(refusals)('%s', async (_, env, expected, message) => {
    const { code, out, err } = await commandLine(['stats'], { env });
    expect({ code, out }).toEqual({ code: expected, out: '' });
    expect(err).toContain(message);
    expect(err).not.toContain('\n    at ');
  });

  test('64 where the backend cannot list its queues and none is named', async () => {
    const folder = await crippledFolder(await sqliteStore(), { listQueues: false });
    const argv = ['stats', '--config=config.mjs'];
    const { code, err } = await commandLine(argv, { folder });
    expect(code).toBe(64);
    expect(err).toContain(
      '"crippled" of the connection "default" cannot list its queues. Name them, --queue=',
    );
    expect((await commandLine([...argv, '--queue=mail'], { folder })).code).toBe(0);
  });

  test.each(['redis', 'sql'])('69 where the server of %s is not reached', async (driver) => {
    const [port = 0] = await freePorts(1);
    const env =
      driver === 'redis'
        ? { QUEUE_CONNECTION: 'redis', REDIS_URL: `redis://:hunter2@127.0.0.1:${port}` }
        : {
            QUEUE_CONNECTION: 'sql',
            DB_DRIVER: 'postgresql',
            DB_URL: `postgres://u:hunter2@127.0.0.1:${port}/q`,
          };
    const { code, out, err } = await commandLine(['stats'], { env });
    expect({ code, out }).toEqual({ code: 69, out: '' });
    expect(err).toContain('expected a connection');
    expect(err).not.toContain('hunter2');
  });

  test('70 where the command fails by a mistake, and its stack is shown', async () => {
    const folder = await folderWith({
      'config.mjs': `export default { default: () => { throw new TypeError('x is not y'); } };`,
    });
    const { code, err } = await commandLine(['stats', '--config=config.mjs'], { folder });
    expect(code).toBe(70);
    expect(err).toContain('TypeError: x is not y\n    at ');
  });
});

test('a misspelt variable is warned of', async () => {
  const { env } = await sqliteStore();
  const { code, err } = await commandLine(['stats'], { env: { ...env, QUEUE_PREFX: 'shop' } });
  expect({ code, err }).toEqual({
    code: 0,
    err: 'warning: The environment holds QUEUE_PREFX, which means nothing here: did you mean QUEUE_PREFIX?\n',
  });
});
