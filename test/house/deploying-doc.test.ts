import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { brokenLinks } from '../deploying/broken-links.js';
import { type QueueBackend } from '../../lib/contract/index.js';
import { memory } from '../../lib/index.js';
import { WORKER_OPTIONS } from '../../lib/module/configuration/worker-options.js';
import type { WorkerExitCode } from '../../lib/worker/index.js';
import { bareContext } from '../support/bare-context.js';

const path = 'docs/deploying.md';
const FENCES: Readonly<Record<string, string>> = { yaml: 'yaml', yml: 'yaml', service: 'ini' };

interface Named {
  readonly flag: string | null;
  readonly variable: string | null;
}

/** What Kubernetes brings for a service called queue. */
const PLATFORM = /^QUEUE_PORT$/;

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
  expect(brokenLinks(path)).toEqual([]);
});

test('the numbers of the page are the defaults of the code', () => {
  const { fallback: timeout = NaN } = WORKER_OPTIONS.shutdownTimeoutSeconds;
  const { fallback: grace } = WORKER_OPTIONS.schemaGraceSeconds;
  const lease = (memory()(bareContext()) as QueueBackend).leaseSeconds;
  for (const said of [
    `${timeout} s (\`--shutdown-timeout\`)`,
    `\`stop_grace_period: ${timeout + 10}s\``,
    `their leases have ended (${lease} s)`,
    `has not for a lease (${lease} s;`,
    `for ${grace} s (\`QUEUE_SCHEMA_GRACE\`, \`schemaGraceSeconds\`)`,
  ]) {
    expect(page).toContain(said);
  }
});

test('the page lists the exit codes of a worker', () => {
  const codes: Record<WorkerExitCode, true> = { 0: true, 1: true, 64: true, 69: true, 70: true };
  const [, table = ''] = page.split(/^## Exit codes$/m);
  expect([...table.matchAll(/^\| (\d+) /gm)].map(([, code]) => code)).toEqual(Object.keys(codes));
});

test('the flags and variables of the page exist', () => {
  const ofOthers = new Set(['--init', '--stop-timeout', '--now', '--omit', '--all', '--from']);
  const known = Object.values(WORKER_OPTIONS).flatMap(({ flag, variable }: Named) => [`--${flag}`, variable]);
  const named = [...page.matchAll(/--[a-z]+(?:-[a-z]+)*|\bQUEUE_[A-Z_]+[A-Z]/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(20);
  const unknown = named.filter(
    (name) => !ofOthers.has(name) && !known.includes(name) && !PLATFORM.test(name),
  );
  expect(unknown).toEqual([]);
});
