import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { sampleFolder, SampleProcess } from '../support/sample-process.js';
import { MailModule, Welcomes } from '../../sample/readme/mail.module.js';
import { AppModule } from '../../sample/readme/app.module.js';
import { Test } from '@nestjs/testing';
import type { Capabilities } from '../../lib/contract/index.js';
import { backends } from '../support/docs/backends-page.js';

// A worker process that starts on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 120_000 });

/** The files that a page shows, with the code that it has for each. */
const filesIn = (page: string) =>
  [...page.matchAll(/<!-- file: (\S+) -->\n\n```ts\n([\s\S]*?)```/g)].map(([, file = '', code = '']) => ({
    file,
    code,
  }));

const readme = readFileSync('README.md', 'utf8');
const guide = readFileSync('docs/guide.md', 'utf8');
const shown = filesIn(readme);
const guided = filesIn(guide);

test('the README shows the files of its example', () => {
  expect(shown.map(({ file }) => file)).toEqual([
    'sample/readme/send-welcome-email.job.ts',
    'sample/readme/mail.module.ts',
    'sample/readme/app.module.ts',
    'sample/readme/migrate.ts',
    'sample/readme/worker.ts',
  ]);
});

test.each(shown)('the README shows $file as it is', ({ file, code }) => {
  expect(code).toBe(readFileSync(file, 'utf8'));
});

/** Files of test/guide that hold no example: what the examples use, and the test that runs them. */
const BEHIND_THE_GUIDE = ['guide.test.ts', 'journal.ts', 'order.jobs.ts', 'partner.ts'];

test('the guide shows every example of its folder, and has no TypeScript beside them', () => {
  const examples = readdirSync('test/guide').filter((file) => !BEHIND_THE_GUIDE.includes(file));
  expect(guided.map(({ file }) => file).sort()).toEqual(examples.map((file) => `test/guide/${file}`).sort());
  expect(guide.match(/^```ts$/gm)).toHaveLength(guided.length);
});

test.each(guided)('the guide shows $file as it is', ({ file, code }) => {
  expect(code).toBe(readFileSync(file, 'utf8'));
});

test.each([
  ['README.md', readme],
  ['docs/guide.md', guide],
])('every link of %s leads to a file of the repository', (page, text) => {
  const links = [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
  expect(links.length).toBeGreaterThan(5);
  const missing = links.filter(
    (target) => !target.startsWith('http') && !existsSync(join(dirname(page), target)),
  );
  expect(missing).toEqual([]);
});

const LONGEST: Readonly<Record<number, string>> = {
  [Infinity]: 'any',
  900: '15 minutes',
  4_194_303: '48 days',
};

/** What a row of the table of backends says, as their capabilities have it. */
const ROWS: Readonly<Record<string, (of: Capabilities) => boolean | string>> = {
  'jobs survive the process': (of) => of.durable,
  'a late settlement is told and harmless': (of) => of.fencedSettlement,
  'a delivery can be extended': (of) => of.extend,
  priorities: (of) => of.delivers && { full: 'yes', levels: 'ten levels', none: false }[of.priorityLevels],
  'longest delay': (of) => of.delivers && (LONGEST[of.maxPushDelaySeconds] ?? `${of.maxPushDelaySeconds} s`),
  'unique keys': (of) => of.unique,
  chains: (of) => of.delivers,
  'a queue can be cleared': (of) => of.clear,
  'a queue can be paused': (of) => of.pause,
  'waiting jobs can be browsed': (of) => of.browse,
  'failed jobs are kept': (of) => ({ yes: 'yes', scan: 'yes, oldest first', no: false })[of.failedJobs],
  'a push joins your transaction': (of) => of.transactionalPush,
};

function cellOf(said: boolean | string): string {
  return said === true ? 'yes' : said === false ? '–' : said;
}

test.each(Object.entries(ROWS))('the table of backends is right about: %s', (row, can) => {
  const line = readme.split('\n').find((text) => text.startsWith(`| ${row} `)) ?? '';
  const cells = line.split('|').slice(2, -1);
  const shown = backends.filter(({ name }) => !name.includes('quorum'));
  expect(cells.map((cell) => cell.trim())).toEqual(
    shown.map(({ capabilities }) => cellOf(can(capabilities))),
  );
});

test('the example of the README runs: what one process pushes, its worker does in another', async () => {
  const { env } = await sampleFolder();
  expect(await new SampleProcess(env, 'dist/readme/migrate.js').exit()).toBe(0);
  vi.stubEnv('QUEUE_FILE', env['QUEUE_FILE']);
  const app = await Test.createTestingModule({ imports: [AppModule] }).compile();
  try {
    const welcomes = app.select(MailModule).get(Welcomes);
    await welcomes.welcome('ada@example.com', 'a-secret-token');
    expect(await welcomes.waiting()).toBe(0);
  } finally {
    await app.close();
    vi.unstubAllEnvs();
  }
  const worker = new SampleProcess(env, 'dist/readme/worker.js', '--queue=mail,default', '--concurrency=10');
  await worker.printed(/A mail to ada@example\.com/);
  await worker.printed(/"event":"job\.succeeded"/);
  expect(worker.output).not.toContain('a-secret-token');
  worker.signal('SIGTERM');
  expect(await worker.exit()).toBe(0);
});
