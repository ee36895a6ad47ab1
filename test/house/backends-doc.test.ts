import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { backendsPage } from '../support/docs/backends-page.js';
import { leftOutTable } from '../support/docs/left-out-table.js';

async function expectGenerated(page: string, text: string, proseWrap: 'always' | 'preserve'): Promise<void> {
  const options = await resolveConfig(page);
  const generated = await format(text, { ...options, proseWrap, filepath: page });
  if (process.env['KINETIS_WRITE_DOCS'] === '1') await writeFile(page, generated);
  const written = await readFile(page, 'utf8');
  expect(written, 'run KINETIS_WRITE_DOCS=1 npx vitest run test/house/backends-doc.test.ts').toBe(generated);
}

test('docs/backends.md says what the backends say of themselves', async () => {
  await expectGenerated('docs/backends.md', backendsPage(), 'always');
});

test('docs/writing-a-backend.md says what the suite leaves out', async () => {
  const page = 'docs/writing-a-backend.md';
  const [prose = ''] = (await readFile(page, 'utf8')).split('<!-- table -->');
  await expectGenerated(page, `${prose}<!-- table -->\n\n${leftOutTable()}\n`, 'preserve');
});

test('docs/writing-a-backend.md shows files that compile and run', async () => {
  const text = await readFile('docs/writing-a-backend.md', 'utf8');
  const shown = [...text.matchAll(/<!-- file: (\S+) -->\n\n```ts\n([\s\S]*?)```/g)];
  expect(shown).toHaveLength(4);
  for (const [, file = '', code] of shown) expect(code).toBe(await readFile(file, 'utf8'));
});
