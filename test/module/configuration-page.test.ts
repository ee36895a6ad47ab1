import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { optionsAsMarkdown } from '../../lib/module/configuration/markdown.js';

test('docs/configuration.md holds the table of options as it is', async () => {
  const page = new URL('../../docs/configuration.md', import.meta.url);
  const text = await readFile(page, 'utf8');
  const begin = '<!-- options -->\n';
  const end = '<!-- /options -->';
  const [before, rest] = text.split(begin);
  const [, after] = rest?.split(end) ?? [];
  expect(after).toBeDefined();
  await expect(`${before}${begin}\n${optionsAsMarkdown()}\n\n${end}${after}`).toMatchFileSnapshot(
    page.pathname,
  );
});
