import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const path = 'docs/deploying.md';
const FENCES: Readonly<Record<string, string>> = { yaml: 'yaml', yml: 'yaml', service: 'ini' };

/** What the page shows for each marker `<!-- file: … -->`. */
const SHOWN = /<!-- file: (\S+) -->\n(?:\n```(\w+)\n([\s\S]*?)```\n)?/g;

const fenceOf = (file: string) =>
  file.endsWith('Dockerfile') ? 'dockerfile' : (FENCES[file.split('.').at(-1) ?? ''] ?? 'text');

/** To write the files into the page: KINETIS_WRITE_DOCS=1 npx vitest run test/house/deploying-doc.test.ts */
if (process.env['KINETIS_WRITE_DOCS'] === '1') {
  const written = readFileSync(path, 'utf8').replaceAll(
    SHOWN,
    (_, file: string) =>
      `<!-- file: ${file} -->\n\n\`\`\`${fenceOf(file)}\n${readFileSync(file, 'utf8')}\`\`\`\n`,
  );
  writeFileSync(path, written);
}

const page = readFileSync(path, 'utf8');
const shown = [...page.matchAll(SHOWN)].map(([, file = '', fence = '', text = '']) => ({
  file,
  fence,
  text,
}));

test('the page shows every file of docs/deploying', () => {
  const files = readdirSync('docs/deploying', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  expect(shown.map(({ file }) => file).sort()).toEqual(files.sort());
});

test.each(shown)('the page shows $file as it is', ({ file, fence, text }) => {
  expect(text).toBe(readFileSync(file, 'utf8'));
  expect(fence).toBe(fenceOf(file));
});

test('every link of the page leads to a file of the repository, and to a heading of it', () => {
  const links = [...page.matchAll(/\]\(([^)#]*)(?:#([^)]*))?\)/g)].map(([, target = '', anchor]) => ({
    target: target === '' ? path : join(dirname(path), target),
    anchor,
  }));
  expect(links.length).toBeGreaterThan(15);
  const headingsOf = (file: string) =>
    [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    );
  const broken = links.filter(
    ({ target, anchor }) =>
      !existsSync(target) || (anchor !== undefined && !headingsOf(target).includes(anchor)),
  );
  expect(broken).toEqual([]);
});
