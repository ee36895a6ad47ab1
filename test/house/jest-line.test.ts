import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

test('the line that Jest needs is in the README as the CommonJS consumer of the package checks has it', async () => {
  const config = await readFile('test/package/cjs-nest11/jest.config.js', 'utf8');
  const line = /^ *(transformIgnorePatterns: .+)$/m.exec(config)?.[1];
  expect(line).toBeDefined();
  expect(await readFile('README.md', 'utf8')).toContain(line);
});
