import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const page = readFileSync('docs/testing.md', 'utf8');
const shown = [...page.matchAll(/<!-- file: (\S+) -->\n\n```ts\n([\s\S]*?)```/g)];

test('the page about testing shows every example of its folder, as it is', () => {
  const examples = readdirSync('test/testing/guide').filter((file) => file !== 'mailer.ts');
  expect(shown.map(([, file]) => file).sort()).toEqual(
    examples.map((file) => `test/testing/guide/${file}`).sort(),
  );
  expect(page.match(/^```ts$/gm)).toHaveLength(shown.length);
  for (const [, file = '', code] of shown) expect(code).toBe(readFileSync(file, 'utf8'));
});

test('every link of the page leads to a file of the repository', () => {
  const links = [...page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
  expect(links.length).toBeGreaterThan(1);
  expect(links.filter((target) => !existsSync(join(dirname('docs/testing.md'), target)))).toEqual([]);
});

test('the helpers work under node:test, where nothing of vitest is loaded', async () => {
  const args = ['--import', './test/support/typescript-loader.mjs', '--test-reporter=tap'];
  // A runner that finds this variable takes itself for the child of another.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, REDIS_URL: undefined };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...args, 'test/testing/guide/under-node.ts'],
    { env },
  );
  expect(stdout).toContain('# pass 1');
  expect(stdout).toContain('# fail 0');
}, 120_000);
