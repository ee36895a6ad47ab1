import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Test } from '@nestjs/testing';
import { Queue, runWorker } from '@kinetis/nestjs-queue';
import { migrateSqlQueue } from '@kinetis/nestjs-queue/sql';
import { expect, onTestFinished, test, vi } from 'vitest';
// @ts-expect-error the scripts are plain JavaScript
import { missingLine } from '../../scripts/package/getting-started/printed.mjs';
// @ts-expect-error the scripts are plain JavaScript
import { readPage } from '../../scripts/package/getting-started/read-page.mjs';
import { waitFor } from '../support/eventually.js';
import { AppModule } from './in-memory/app.module.js';
import { MailModule } from './in-memory/mail/mail.module.js';
import { RegistrationsController } from './in-memory/mail/registrations.controller.js';

interface Step {
  readonly verb: string;
  readonly name?: string;
  readonly text: string;
}

const path = 'docs/getting-started.md';
const page = readFileSync(path, 'utf8');
const shown = [...page.matchAll(/`(\S+)`:\n\n<!-- file: (test\/\S+) -->\n\n```ts\n([\s\S]*?)```/g)].map(
  ([, place = '', file = '', code = '']) => ({ place, file, code }),
);

/** Files that `nest new` makes, and those that stand for files of the stage before. */
const NOT_SHOWN = [
  'getting-started.test.ts',
  'walk.test.ts',
  'in-memory/app.controller.ts',
  'in-memory/app.service.ts',
  'worker-process/app.controller.ts',
  'worker-process/app.service.ts',
  'worker-process/mail/mail.module.ts',
];

test('the page shows every example of its folder, and has no TypeScript beside them', () => {
  const examples = readdirSync('test/getting-started', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !NOT_SHOWN.includes(file),
  );
  expect(shown.map(({ file }) => file).sort()).toEqual(
    examples.map((file) => `test/getting-started/${file}`).sort(),
  );
  expect(page.match(/^```ts$/gm)).toHaveLength(shown.length);
});

test.each(shown)('the page shows $file as it is, and says that it is $place', ({ place, file, code }) => {
  expect(code).toBe(readFileSync(file, 'utf8'));
  const steps: Step[] = readPage(page);
  expect(steps.find(({ verb, text }) => verb === 'file' && `${text}\n` === code)?.name).toBe(place);
});

test('every block of the page is a step that the check of the package does', () => {
  const steps: Step[] = readPage(page);
  const blocks = [...page.matchAll(/^```\w+$/gm)];
  expect(blocks.length).toBeGreaterThan(25);
  expect(steps.filter(({ verb }) => verb !== 'stop')).toHaveLength(blocks.length);
});

test('a step that the check cannot read is refused', () => {
  expect(() => readPage('<!-- runs -->\n\n```sh\ntrue\n```\n')).toThrow('expected a step, got <!-- runs -->');
  expect(() => readPage('<!-- run -->\n\nNo block.\n')).toThrow('expected a block after <!-- run -->');
});

test('what a command prints is held against every line of the page, but for ids and ages', () => {
  const output = 'mail   1  23 s\npushed 11cabe2da64c8620dd03debfd0d9e400\n';
  expect(missingLine('mail 1 2 s\npushed 6f91586ec02a0cdab2c9144b3b025fac', output)).toBeNull();
  expect(missingLine('mail 2 2 s', output)).toBe('mail 2 2 s');
  expect(missingLine('pushed …\nmail …', output)).toBe('mail …');
});

test('every link of the page leads to a file of the repository', () => {
  const links = [...page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((target) => !existsSync(join(dirname(path), target)))).toEqual([]);
});

test('the page installs what the README does', () => {
  const readme = readFileSync('README.md', 'utf8');
  const tarball = /\S+\.tgz/.exec(page)?.[0].replace('../', './');
  expect(readme).toContain(`npm install ${tarball}`);
  const pattern = /"transformIgnorePatterns": \["([^"]+)"\]/.exec(page)?.[1];
  expect(readme).toContain(`transformIgnorePatterns: ['${pattern}']`);
});

/** What the examples print to the console. */
function printedLines(): readonly string[] {
  const lines: string[] = [];
  const spy = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  onTestFinished(() => spy.mockRestore());
  return lines;
}

test('a registration is followed by a mail from the worker inside the application', async () => {
  const lines = printedLines();
  const app = await Test.createTestingModule({ imports: [AppModule] }).compile();
  app.useLogger(false);
  await app.init();
  onTestFinished(() => app.close());
  const answer = await app.select(MailModule).get(RegistrationsController).register('ada@example.com');
  expect(answer).toMatch(/^pushed [0-9a-f]{32}\n$/);
  await waitFor('the mail', () => lines.includes('A mail to ada@example.com') || undefined);
});

test('a registration waits in the file of .env until a worker takes it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kinetis-queue-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'queue.sqlite');
  vi.stubEnv('QUEUE_CONNECTION', 'sql');
  vi.stubEnv('DB_DATABASE', file);
  onTestFinished(() => void vi.unstubAllEnvs());
  await migrateSqlQueue({ driver: 'sqlite', file });
  const worker = await import('./worker-process/app.module.js');
  const lines = printedLines();

  const app = await Test.createTestingModule({ imports: [worker.AppModule] }).compile();
  app.useLogger(false);
  await app.init();
  await app.select(MailModule).get(RegistrationsController).register('ada@example.com');
  expect(await app.get(Queue).counts('mail')).toMatchObject({ ready: 1 });
  await app.close();
  expect(lines).toEqual([]);

  const exit = () => {};
  expect(await runWorker(worker.AppModule, { argv: ['--once'], exit, logger: false })).toBe(0);
  expect(lines).toEqual(['A mail to ada@example.com']);
});
