import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { backendsPage } from '../support/docs/backends-page.js';

const page = 'docs/backends.md';

test('docs/backends.md says what the backends say of themselves', async () => {
  const options = await resolveConfig(page);
  const generated = await format(backendsPage(), { ...options, proseWrap: 'always', filepath: page });
  if (process.env['KINETIS_WRITE_DOCS'] === '1') await writeFile(page, generated);
  const written = await readFile(page, 'utf8');
  expect(written, 'run KINETIS_WRITE_DOCS=1 npx vitest run test/house/backends-doc.test.ts').toBe(generated);
});
