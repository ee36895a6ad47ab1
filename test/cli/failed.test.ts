import { describe, expect, test } from 'vitest';
import { encodeBody, type NewJob } from '../../lib/contract/index.js';
import { newJob } from '../support/redis-queue.js';
import { commandLine } from './support/command-line.js';
import { crippledFolder } from './support/config-file.js';
import { failJob } from './support/fail-job.js';
import { sqliteStore, STORES } from './support/stores.js';

const SECRET = 'hunter2-in-the-payload';

const withoutTimes = (text: string): string => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');

/** A job of a known id, with a secret among its arguments. */
function mailJob(n: number, queue = 'mail', uniqueKey: string | null = null): NewJob {
  const id = n.toString(16).padStart(32, '0');
  const pushedAt = '2026-01-02T03:04:05.678Z';
  const body = encodeBody({
    id,
    pushedAt,
    class: 'SendMail',
    args: { to: 'ada@example.com', token: SECRET },
    maxAttempts: 3,
    metadata: { tenant: 'acme' },
    chain: [],
  });
  return { ...newJob({ queue, uniqueKey }), id, body };
}

/** Of mailJob(1). */
const ID = mailJob(1).id;

describe.each(STORES)('on %s', (_, open) => {
  test('failed list shows what was given up on, newest first, and no argument', async () => {
    const { env, backend } = await open();
    await failJob(backend, mailJob(1), `no such template\nin ${'a long text '.repeat(9)}`);
    await failJob(backend, mailJob(2, 'reports'), 'a long text '.repeat(9));
    const { code, out, err } = await commandLine(['failed', 'list'], { env });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(withoutTimes(out)).toMatchInlineSnapshot(`
      "id                                queue    class     attempts  failed at                 cause      error
      00000000000000000000000000000002  reports  SendMail         1  <time>  exhausted  TemplateError: a long text a long text a long text a long t…
      00000000000000000000000000000001  mail     SendMail         1  <time>  exhausted  TemplateError: no such template
      "
    `);
    const one = await commandLine(['failed', 'list', '--queue=reports', '--json'], { env });
    expect(one.out).not.toContain(SECRET);
    expect(JSON.parse(one.out)).toMatchObject({
      jobs: [{ class: 'SendMail', queue: 'reports' }],
      cursor: null,
    });
  });

  test('failed list goes on where a page ended', async () => {
    const { env, backend } = await open();
    for (const n of [1, 2, 3]) await failJob(backend, mailJob(n));
    const first = await commandLine(['failed', 'list', '--limit=2'], { env });
    const cursor = /^more: (--cursor=\S+)\n$/.exec(first.err)?.[1] ?? '';
    const second = await commandLine(['failed', 'list', '--limit=2', cursor, '--json'], { env });
    expect(JSON.parse(second.out)).toMatchObject({ jobs: [{ id: ID }], cursor: null });
  });

  test('failed show tells sizes of arguments, and their values only with --show-args', async () => {
    const { env, backend } = await open();
    await failJob(backend, mailJob(1));
    const { code, out, err } = await commandLine(['failed', 'show', `--id=${ID}`], { env });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.replace(/(failedAt: +).*/, '$1<time>')).toMatchInlineSnapshot(`
      "id:            00000000000000000000000000000001
      queue:         mail
      class:         SendMail
      attempts:      1
      maxAttempts:   3
      priority:      0
      pushedAt:      2026-01-02T03:04:05.678Z
      failedAt:      <time>
      cause:         exhausted
      error:         TemplateError
      message:       no such template
      stack:         –
      metadata:      {
                       "tenant": "acme"
                     }
      bodyBytes:     219
      argumentBytes: {
                       "to": 17,
                       "token": 24
                     }

      "
    `);
    const all = await commandLine(['failed', 'show', `--id=${ID}`, '--show-args', '--json'], { env });
    expect(JSON.parse(all.out)).toMatchObject({ jobs: [{ args: { to: 'ada@example.com', token: SECRET } }] });
  });

  test('failed retry --id puts one back, and ends with 1 where one cannot', async () => {
    const { env, backend } = await open();
    const key = 'a'.repeat(64);
    await failJob(backend, mailJob(1));
    await failJob(backend, mailJob(2, 'mail', key));
    await backend.store([mailJob(3, 'mail', key)]);
    const ok = await commandLine(['failed', 'retry', `--id=${ID}`], { env });
    expect(ok).toEqual({ code: 0, out: `${ID}: went back to its queue\n`, err: '' });
    const not = await commandLine(['failed', 'retry', `--id=${mailJob(2).id},none`], { env });
    expect(not.code).toBe(1);
    expect(not.out).toBe(
      `${mailJob(2).id}: stays: another job holds its unique key\nnone: no such failed job\n`,
    );
    expect(await backend.count('mail')).toMatchObject({ ready: 2, failed: 1 });
  });

  test('failed retry --all puts back those of the queues', async () => {
    const { env, backend } = await open();
    for (const n of [1, 2, 3]) await failJob(backend, mailJob(n, n < 3 ? 'mail' : 'reports'));
    const some = await commandLine(['failed', 'retry', '--all', '--queue=mail'], { env });
    expect(some).toEqual({ code: 0, out: '2 jobs went back\n', err: '' });
    expect(await backend.count('mail')).toMatchObject({ ready: 2, failed: 0 });
    expect((await commandLine(['failed', 'retry', '--all'], { env })).out).toBe('1 job went back\n');
  });

  test('failed forget deletes by id', async () => {
    const { env, backend } = await open();
    await failJob(backend, mailJob(1));
    const { code, out } = await commandLine(['failed', 'forget', `--id=${ID}`, '--id=none'], { env });
    expect({ code, out }).toEqual({ code: 1, out: `${ID}: deleted\nnone: no such failed job\n` });
    expect((await commandLine(['failed', 'list'], { env })).out).toBe('no failed jobs\n');
  });

  test('failed flush deletes all with --force, and nothing without', async () => {
    const { env, backend } = await open();
    for (const n of [1, 2, 3]) await failJob(backend, mailJob(n, n < 3 ? 'mail' : 'reports'));
    const refused = await commandLine(['failed', 'flush', '--queue=mail'], { env });
    expect({ code: refused.code, out: refused.out }).toEqual({ code: 1, out: '' });
    expect(refused.err).toBe(
      'failed flush: expected --force, came none: it would delete the failed jobs of "mail" for good. Nothing was changed.\n',
    );
    expect((await backend.count('mail')).failed).toBe(2);
    const some = await commandLine(['failed', 'flush', '--queue=mail', '--force'], { env });
    expect(some).toEqual({ code: 0, out: 'deleted 2 jobs\n', err: '' });
    const rest = await commandLine(['failed', 'flush', '--force', '--json'], { env });
    expect(JSON.parse(rest.out)).toEqual({ connection: 'default', flushed: 1 });
  });
});

test('bytes that do not decode are shown as such, and themselves only with --show-args', async () => {
  const { env, backend } = await sqliteStore();
  await failJob(backend, { ...mailJob(1), body: `not JSON, ${SECRET}` });
  const { out } = await commandLine(['failed', 'show', `--id=${ID}`], { env });
  expect(out).toMatch(/^class: +–$/m);
  expect(out).not.toContain(SECRET);
  const all = await commandLine(['failed', 'show', `--id=${ID}`, '--show-args'], { env });
  expect(all.out).toContain(`not JSON, ${SECRET}`);
});

test('an error that would steer the terminal is shown without its power', async () => {
  const { env, backend } = await sqliteStore();
  await failJob(backend, mailJob(1), 'no \x1b]0;title\x07 here');
  const { out } = await commandLine(['failed', 'show', `--id=${ID}`], { env });
  expect(out).toContain('no \\x1b]0;title\\x07 here');
});

test('an id that is not there is named, and ends failed show with 1', async () => {
  const { env } = await sqliteStore();
  expect(await commandLine(['failed', 'show', '--id=none'], { env })).toEqual({
    code: 1,
    out: '',
    err: 'none: no such failed job\n',
  });
});

test.each([
  [['failed'], 'failed: expected one of list, show, retry, forget, flush, came nothing.'],
  [['failed', 'lst'], 'came "lst". Did you mean list?'],
  [['failed', 'show'], '--id: expected the id of a failed job, came nothing.'],
  [['failed', 'forget'], '--id: expected the id of a failed job, came nothing.'],
  [['failed', 'retry'], 'failed retry: expected --id=… or --all, came neither.'],
  [['failed', 'retry', '--id=1', '--all'], 'failed retry: expected --id=… or --all, came both.'],
  [['failed', 'retry', '--id=1', '--queue=a,b'], '--queue: expected one queue beside --id'],
  [['failed', 'list', '--cursor=1', '--queue=a,b'], '--cursor: expected one queue beside it'],
  [['failed', 'list', '--cursor=x'], 'cursor: expected the cursor of an earlier page'],
  [['failed', 'list', '--limit=0'], '--limit: expected an integer of 1 or more'],
])('%j is a usage error', async (argv, message) => {
  const { env } = await sqliteStore();
  const { code, out, err } = await commandLine(argv, { env });
  expect({ code, out }).toEqual({ code: 64, out: '' });
  expect(err).toContain(message);
});

test.each([['list'], ['show', '--id=1'], ['retry', '--all'], ['forget', '--id=1'], ['flush', '--force']])(
  'failed %s ends with 1 where the backend keeps none',
  async (...argv) => {
    const folder = await crippledFolder(await sqliteStore(), { failedJobs: 'no' });
    const { code, err } = await commandLine(['failed', ...argv, '--config=config.mjs'], { folder });
    expect(code).toBe(1);
    expect(err).toContain('"crippled" of connection "default" keeps no failed jobs');
  },
);

test.each([
  ['list'],
  ['flush', '--force'],
  ['retry', '--all'],
  ['retry', `--id=${ID}`],
  ['show', `--id=${ID}`],
  ['forget', `--id=${ID}`],
])('failed %s asks for --queue where the backend has to scan', async (...argv) => {
  const store = await sqliteStore();
  await failJob(store.backend, mailJob(1));
  const folder = await crippledFolder(store, { failedJobs: 'scan' });
  const { code, err } = await commandLine(['failed', ...argv, '--config=config.mjs'], { folder });
  expect(code).toBe(64);
  expect(err).toMatch(
    /^--queue: expected the name of a queue, came nothing: the backend "crippled".* Name it, --queue=/,
  );
  expect((await store.backend.count('mail')).failed).toBe(1);
});
