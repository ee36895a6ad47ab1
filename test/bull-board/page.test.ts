import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { BOARD_OPTIONS } from '../../lib/bull-board/check-board-options.js';

const PAGE = 'docs/bull-board.md';
const page = readFileSync(PAGE, 'utf8');
const shown = [...page.matchAll(/<!-- file: (\S+) -->\n\n```ts\n([\s\S]*?)```/g)].map(
  ([, file = '', code = '']) => ({ file, code }),
);

test('the page shows the code of the sample, and has no TypeScript beside it', () => {
  expect(shown).toHaveLength(2);
  expect(page.match(/^```ts$/gm)).toHaveLength(shown.length);
});

test.each(shown)('the page shows $file as it is', ({ file, code }) => {
  expect(code).toBe(readFileSync(file, 'utf8'));
});

test('the page has every option, and no other', () => {
  const table = page.slice(page.indexOf('| option'), page.indexOf('The queues are those'));
  expect([...table.matchAll(/^\| `(\w+)`/gm)].map(([, option]) => option)).toEqual([...BOARD_OPTIONS]);
});

test('every link of the page leads to a file', () => {
  const targets = [...page.matchAll(/\]\(((?!http)[^)#]+)/g)].map(([, target = '']) => target);
  expect(targets.length).toBeGreaterThan(0);
  expect(targets.filter((target) => !existsSync(join(dirname(PAGE), target)))).toEqual([]);
});
