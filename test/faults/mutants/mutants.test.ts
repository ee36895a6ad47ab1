import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sourceMutants } from './index.js';
import { patched } from './source-patch.js';

/** What each mutant does to the sources as they are. */
function apply(what: string): void {
  const sources = new Map<string, string>();
  for (const patch of sourceMutants[what]?.patches ?? []) {
    sources.set(patch.file, patched(sources.get(patch.file) ?? readFileSync(patch.file, 'utf8'), patch));
  }
}

test.each(Object.keys(sourceMutants))('the sources hold what is changed where %s', (what) => {
  expect(() => apply(what)).not.toThrow();
});

test.each([
  ['is not there', 'one two', 'came 0 times'],
  ['is there twice', 'three three', 'came 2 times'],
])('a source where the text of a mutant %s is told', (_where, source, told) => {
  const patch = { file: 'lib/a.ts', find: 'three', replace: 'four' };
  expect(() => patched(source, patch)).toThrow(told);
});

test('a mutant that changes nothing is told', () => {
  expect(() => patched('three', { file: 'lib/a.ts', find: 'three', replace: 'three' })).toThrow('the same');
});
