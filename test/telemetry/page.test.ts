import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const path = 'docs/opentelemetry.md';
const page = readFileSync(path, 'utf8');
const shown = [...page.matchAll(/<!-- file: (\S+) -->\n\n```ts\n([\s\S]*?)```/g)].map(
  ([, file = '', code = '']) => ({ file, code }),
);

test('the page shows code of its examples only', () => {
  expect(shown).toHaveLength(3);
  expect(page.match(/^```ts$/gm)).toHaveLength(shown.length);
});

test.each(shown)('the page shows $file as it is', ({ file, code }) => {
  expect(code).toBe(readFileSync(file, 'utf8'));
});

const code = ['attributes.ts', 'instruments.ts', 'open-telemetry.options.ts']
  .map((file) => readFileSync(`lib/telemetry/${file}`, 'utf8'))
  .join('\n');

const names = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].sort();

test('the tables list every attribute and metric that the code names, and no other', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const listed = names(rows.join('\n'), /^\| `((?:messaging|kinetis_queue|error)\.[\w.]+)`/gm);
  expect(listed).toEqual(names(code, /'((?:messaging|kinetis_queue|error)\.[\w.]+)'/g));
});

test('the table of options lists them all', () => {
  const options = page.slice(page.indexOf('## Options'), page.indexOf('## Spans'));
  expect(names(options, /^\| `(\w+)`/gm)).toEqual(names(code, /readonly (\w+)\?:/g));
});

test('every link leads to a file of the repository', () => {
  const targets = [...page.matchAll(/\]\(([^)#]+)/g)].map(([, target = '']) => target);
  const missing = targets.filter((to) => !to.startsWith('http') && !existsSync(join(dirname(path), to)));
  expect(missing).toEqual([]);
});
