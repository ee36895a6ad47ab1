import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { exportsOf, exportsPage } from '../support/docs/exports-page.js';

const subpaths = Object.keys(manifest.exports)
  .filter((path) => !path.endsWith('.json'))
  .map((path) => (path === '.' ? '.' : path.slice(2)));
const found = exportsOf(
  Object.fromEntries(subpaths.map((path) => [path, `lib/${path === '.' ? 'index' : path}.ts`])),
);

describe('what the package exports', () => {
  it('is what docs/exports.md lists', async () => {
    await expect(exportsPage(found)).toMatchFileSnapshot('../../docs/exports.md');
  });

  it.each([...found])('has one line of purpose each: %s', (_subpath, exported) => {
    expect(exported.filter(({ purpose }) => purpose === '').map(({ name }) => name)).toEqual([]);
  });
});
