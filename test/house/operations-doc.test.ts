import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Test } from '@nestjs/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestingModule } from '@nestjs/testing';
import type { FailureCause } from '../../lib/contract/index.js';
import { Job, KinetisQueueModule, memory, Queue, QueueConsumer } from '../../lib/index.js';
import type { WorkerExitCode } from '../../lib/worker/index.js';
import { operate } from './operations/operate.js';

const page = readFileSync('docs/operations.md', 'utf8');

const sources = readdirSync('lib', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.generated.ts'))
  .map((file) => readFileSync(join('lib', file), 'utf8'));

/** Rows of the tables of events: event, level, fields. */
const rows = [...page.matchAll(/^\| `((?:job|worker)\.[a-z-]+)` \| ([^|]*) \| ?([^|]*) \|/gm)].map(
  ([, event = '', level = '', fields = '']) => ({
    event,
    level,
    fields: [...fields.matchAll(/`(\w+)`/g)].map(([, field = '']) => field),
  }),
);

/** Events that the code writes with a level beside them. */
const written = sources.flatMap((source) => [
  ...[...source.matchAll(/\.(?:job|worker)\(\s*'(\w+)',\s*'((?:job|worker)\.[a-z-]+)'/g)].map(
    ([, level = '', event = '']) => ({ level, event }),
  ),
  ...[...source.matchAll(/logger\.(\w+)\(\{\s*event: '(worker\.[a-z-]+)'/g)].map(
    ([, level = '', event = '']) => ({ level, event }),
  ),
]);

test('docs/operations.md lists every event that the code writes, once, and no other', () => {
  const named = new Set(
    sources.flatMap((source) =>
      [...source.matchAll(/'((?:job|worker)\.[a-z]+(?:-[a-z]+)*)'/g)].map(([, event = '']) => event),
    ),
  );
  expect(named.size).toBeGreaterThan(30);
  expect(rows.map(({ event }) => event).sort()).toEqual([...named].sort());
});

test('docs/operations.md gives the level that the code gives', () => {
  expect(written.length).toBeGreaterThan(25);
  for (const { event, level } of written) {
    const row = rows.find((each) => each.event === event);
    expect(`${event}: ${row?.level.split(' or ').includes(level) ? level : row?.level}`).toBe(
      `${event}: ${level}`,
    );
  }
});

test('docs/operations.md names only fields that the code has', () => {
  const code = sources.join('\n');
  const unknown = rows.flatMap(({ event, fields }) =>
    fields.filter((field) => !new RegExp(`\\b${field}\\b`).test(code)).map((field) => `${event}: ${field}`),
  );
  expect(unknown).toEqual([]);
});

test('docs/operations.md lists the causes of a failure and the exit codes', () => {
  const causes: Record<FailureCause, true> = {
    exhausted: true,
    fatal: true,
    'unknown-class': true,
    'crash-limit': true,
    undecodable: true,
  };
  const codes: Record<WorkerExitCode, true> = { 0: true, 1: true, 64: true, 69: true, 70: true };
  const [, causesPart = '', codesPart = ''] = page.split(/^## (?:Causes in the failed store|Exit codes)$/m);
  const first = (text: string) => [...text.matchAll(/^\| `?([a-z-]+|\d+)`? +\|/gm)].map(([, cell]) => cell);
  expect(first(causesPart).filter((cell) => cell !== 'cause' && !/^-+$/.test(cell ?? ''))).toEqual(
    Object.keys(causes),
  );
  // 137 is the system's.
  expect(first(codesPart).filter((cell) => /^\d+$/.test(cell ?? ''))).toEqual([...Object.keys(codes), '137']);
});

test('every link of docs/operations.md within the page leads to a heading of it', () => {
  const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
  const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter((anchor) => !headings.includes(anchor))).toEqual([]);
});

test.each(['ops.ts', 'operate.ts'])('docs/operations.md shows %s as it is', (file) => {
  const path = `test/house/operations/${file}`;
  const [, shown = ''] = page.split(`<!-- file: ${path} -->\n\n\`\`\`ts\n`);
  const code = readFileSync(path, 'utf8').replace('../../../sample/readme/app.module.js', './app.module.js');
  expect(shown.slice(0, shown.indexOf('```'))).toBe(code);
});

@Job({ args: ['n'], queue: 'mail' })
class Send {
  constructor(readonly n: number) {}

  handle(): void {}
}

let app: TestingModule;

beforeEach(async () => {
  app = await Test.createTestingModule({
    imports: [KinetisQueueModule.forRoot({ connections: { default: memory() } })],
  }).compile();
});

afterEach(() => app.close());

test('the script shows a failed job with its cause, and retries it', async () => {
  const id = await app.get(Queue).push(new Send(7));
  const consumer = await app.resolve(QueueConsumer);
  const job = await consumer.pop(1, ['mail']);
  if (job === null) throw new Error('Expected the job.');
  expect(await operate(app, 'running', 'mail')).toMatchObject([{ id, class: 'Send' }]);
  await consumer.fail(job, new RangeError('no such address'));
  expect(await operate(app, 'failed', 'mail')).toMatchObject([
    { id, class: 'Send', cause: 'fatal', error: 'RangeError: no such address' },
  ]);
  expect(await operate(app, 'show', 'mail', id)).toContain('"n":7');
  expect(await operate(app, 'retry', 'mail', id)).toBe('retried');
  expect(await operate(app, 'retry-all', 'mail')).toMatchObject({ retried: 0 });
  expect(await operate(app, 'forget', 'mail', id)).toBe(false);
  expect(await operate(app, 'counts', 'mail')).toMatchObject({ ready: 1, failed: 0 });
});

test('the script pauses and resumes a queue, and removes a job that waits', async () => {
  const id = await app.get(Queue).push(new Send(7));
  await operate(app, 'pause', 'mail');
  expect(await operate(app, 'counts', 'mail')).toMatchObject({ paused: true });
  expect(await operate(app, 'queues')).toEqual(['mail']);
  expect(await operate(app, 'remove', 'mail', id)).toBe(true);
  await operate(app, 'resume', 'mail');
  expect(await operate(app, 'counts', 'mail')).toMatchObject({ paused: false, ready: 0 });
  await expect(operate(app, 'explode')).rejects.toThrow(/Expected a command/);
});
