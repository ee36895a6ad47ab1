import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const path = 'docs/multi-tenant.md';
const folder = 'test/multi-tenant';
const page = readFileSync(path, 'utf8');
const shown = [...page.matchAll(/<!-- file: (\S+) -->\n\n```ts\n([\s\S]*?)```/g)].map(
  ([, file = '', code = '']) => ({ file, code }),
);

test('the page shows every example of its folder, and no TypeScript beside them', () => {
  const examples = readdirSync(folder).filter((file) => !file.endsWith('.test.ts') && file !== 'ledger.ts');
  expect(shown.map(({ file }) => file).sort()).toEqual(examples.map((file) => `${folder}/${file}`).sort());
  expect(page.match(/^```ts$/gm)).toHaveLength(shown.length);
});

test.each(shown)('the page shows $file as it is', ({ file, code }) => {
  expect(code).toBe(readFileSync(file, 'utf8'));
});

test('every link leads to a file of the repository', () => {
  const targets = [...page.matchAll(/\]\(([^)#]+)/g)].map(([, target = '']) => target);
  const missing = targets.filter((to) => !to.startsWith('http') && !existsSync(join(dirname(path), to)));
  expect(missing).toEqual([]);
});
