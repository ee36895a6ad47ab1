import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { expect, it, test } from 'vitest';
import { Queue } from '@kinetis/nestjs-queue';
import { QUEUED_EVENT_OPTIONS } from '../../lib/listeners/queued-event-options.js';
import { waitFor } from '../support/eventually.js';
import { Accounts } from './guide/accounts.js';
import { AppModule } from './guide/app.module.js';
import { Mailer } from './guide/mailer.js';

const PAGE = 'docs/event-emitter.md';
const FOLDER = 'test/listeners/guide';
/** Stands behind the examples and is none. */
const BEHIND_THE_PAGE = ['mailer.ts'];

const page = readFileSync(PAGE, 'utf8');
const shown = [...page.matchAll(/<!-- file: (\S+) -->\n\n```ts\n([\s\S]*?)```/g)].map(
  ([, file = '', code = '']) => ({ file, code }),
);

test('the page shows every example of its folder, and has no TypeScript beside them', () => {
  const examples = readdirSync(FOLDER).filter((file) => !BEHIND_THE_PAGE.includes(file));
  expect(shown.map(({ file }) => file).sort()).toEqual(examples.map((file) => join(FOLDER, file)).sort());
  expect(page.match(/^```ts$/gm)).toHaveLength(shown.length);
});

test.each(shown)('the page shows $file as it is', ({ file, code }) => {
  expect(code).toBe(readFileSync(file, 'utf8'));
});

test('the page has every option', () => {
  const table = page.slice(page.indexOf('| option'), page.indexOf('**Give an `id`'));
  expect(QUEUED_EVENT_OPTIONS.filter((option) => !new RegExp(`\`${option}\\b`).test(table))).toEqual([]);
});

test('every link of the page leads to a file', () => {
  const targets = [...page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
  expect(targets.length).toBeGreaterThan(3);
  expect(targets.filter((target) => !existsSync(join(dirname(PAGE), target)))).toEqual([]);
});

it('the examples of the page run', async () => {
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
  try {
    const { sent } = app.get(Mailer);
    await app.get(Accounts).register(7, 'ada@example.org', 'a-token');
    app.get(Accounts).remove(7);
    await waitFor('three mails', () => sent.length >= 3);
    expect(sent.toSorted()).toEqual([
      'ada@example.org: Welcome! https://example.org/confirm/a-token',
      'audit@example.org: user.registered, attempt 1',
      'audit@example.org: user.removed, attempt 1',
    ]);
    expect(await app.get(Queue).counts('mail')).toMatchObject({ ready: 0, delayed: 1 });
  } finally {
    await app.close();
  }
});
