import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync('SECURITY.md', 'utf8');
const table = page.slice(page.indexOf('## Threats'));
const shown = [...table.matchAll(/\| `(test\/[^`]+)`: "([^"]+)"/g)].map(([, file = '', title = '']) => ({
  file,
  title,
}));

test('every threat names a test', () => {
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !/^\| (Threat|-)/.test(line));
  expect(rows.length).toBeGreaterThan(10);
  expect(shown).toHaveLength(rows.length);
});

test.each(shown)('the test is there: $file: $title', ({ file, title }) => {
  expect(existsSync(file)).toBe(true);
  const source = readFileSync(file, 'utf8');
  expect(["'", '`', '"'].some((quote) => source.includes(`${quote}${title}${quote}`))).toBe(true);
});

test('every file of tests about security stands for a threat', () => {
  const files = readdirSync('test/security').filter((name) => name.endsWith('.test.ts'));
  const named = new Set(shown.map(({ file }) => file));
  const missing = files.map((name) => `test/security/${name}`).filter((file) => !named.has(file));
  expect(missing).toEqual(['test/security/security-page.test.ts']);
});

test('every link leads to a heading that is there', () => {
  const links = [...page.matchAll(/\]\(([^)#]+\.md)(?:#([^)]+))?\)/g)];
  expect(links.length).toBeGreaterThan(5);
  for (const [, file = '', anchor] of links) {
    expect(existsSync(file)).toBe(true);
    if (anchor === undefined) continue;
    const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    expect(headings).toContain(anchor);
  }
});
