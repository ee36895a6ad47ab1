import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const page = readFileSync('docs/architecture.md', 'utf8');
const named = [...page.matchAll(/`(lib\/[\w./-]+\.ts)`(?: `(#?\w+)`)?/g)].map(
  ([, file = '', name]) => [file, name] as const,
);

it('docs/architecture.md names steps', () => {
  expect(named.filter(([, name]) => name !== undefined).length).toBeGreaterThan(25);
});

it.each(named)('the step is there: %s %s', (file, name) => {
  expect(existsSync(file)).toBe(true);
  if (name === undefined) return;
  const declaration = new RegExp(`(function |^ +(async )?)${name}[(<]`, 'm');
  expect(readFileSync(file, 'utf8')).toMatch(declaration);
});
