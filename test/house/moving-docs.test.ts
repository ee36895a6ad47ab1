import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Pages that show the files of a folder; what stands behind them, tests aside, is not shown. */
const PAGES = [
  ['docs/moving-from-bullmq.md', 'test/moving/bullmq', ['mailer.ts']],
  ['docs/moving-from-pg-boss.md', 'test/moving/pg-boss', []],
] as const;

/** As GitHub makes them of headings. */
function anchorsOf(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe.each(PAGES)('%s', (path, folder, behind) => {
  const page = readFileSync(path, 'utf8');
  const shown = [...page.matchAll(/<!-- file: (\S+) -->\n\n```ts\n([\s\S]*?)```/g)].map(
    ([, file = '', code = '']) => ({ file, code }),
  );

  test('shows every file of its folder, and marks all other code as that from before', () => {
    const examples = readdirSync(folder).filter(
      (file) => !file.endsWith('.test.ts') && !(behind as readonly string[]).includes(file),
    );
    expect(shown.map(({ file }) => file).sort()).toEqual(examples.map((file) => `${folder}/${file}`).sort());
    const before = page.match(/<!-- before -->\n\n```ts\n/g) ?? [];
    expect(before.length).toBeGreaterThan(0);
    expect(page.match(/^```ts$/gm)).toHaveLength(shown.length + before.length);
  });

  test.each(shown)('shows $file as it is', ({ file, code }) => {
    expect(code).toBe(readFileSync(file, 'utf8'));
  });

  test('has no link, and no place in a page, that is not there', () => {
    const links = [...page.matchAll(/\]\(([^)#]*)(?:#([^)]*))?\)/g)].filter(
      ([, to = '']) => !to.startsWith('http'),
    );
    expect(links.length).toBeGreaterThan(3);
    const missing = links.filter(([, to = '', anchor]) => {
      const file = to === '' ? path : join(dirname(path), to);
      return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  });
});
