import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync('docs/promises.md', 'utf8');
const sections = page.split(/^## /m).slice(1);

interface Shown {
  readonly file: string;
  readonly title: string;
}

const shown: readonly Shown[] = [...page.matchAll(/^- `([^`]+)`: "(.+)"$/gm)].map(
  ([, file = '', title = '']) => ({ file, title }),
);

/** The title as a literal of the source; `…` stands for anything that a template or a table puts in. */
function literalOf(title: string): RegExp {
  const pieces = title.split('…').map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`(['"\`])${pieces.join('(?:\\$\\{[^}]+\\}|%[a-z]|\\$\\w+)')}\\1`);
}

test('each promise is there once, in order, with at least one test', () => {
  expect(sections.map((section) => section.slice(0, 2))).toEqual(['P1', 'P2', 'P3', 'P4', 'P5', 'P6', 'P7']);
  for (const section of sections) expect(section).toMatch(/^- `/m);
});

test('every line of a list of tests is one that is checked', () => {
  expect(shown).toHaveLength(page.split('\n').filter((line) => line.startsWith('- ')).length);
});

test.each(shown)('the test is there: $file: $title', ({ file, title }) => {
  expect(existsSync(file)).toBe(true);
  expect(readFileSync(file, 'utf8')).toMatch(literalOf(title));
});

test('a title that is nowhere would be noticed', () => {
  const source = readFileSync('lib/testing/conformance/leases.cases.ts', 'utf8');
  expect(source).not.toMatch(literalOf('a lease lasts'));
});

test('every decision has a line in the index, and every line a page', () => {
  const index = readFileSync('docs/adr/README.md', 'utf8');
  const listed = [...index.matchAll(/\]\((\d{4}-[a-z-]+\.md)\)/g)].map(([, file]) => file);
  const pages = readdirSync('docs/adr').filter((file) => file !== 'README.md');
  expect(listed).toEqual(pages.toSorted());
});
