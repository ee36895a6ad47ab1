import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../lib/cli/commands.js';
import { encodeBody, type NewJob } from '../../lib/contract/index.js';
import type { Option } from '../../lib/module/configuration/option.js';
import { newJob } from '../support/redis-queue.js';
import { commandLine } from './support/command-line.js';
import { failJob } from './support/fail-job.js';
import { sqliteStore } from './support/stores.js';

const PAGE = 'docs/commands.md';
/** A block that shows a command line and what it prints. */
const EXAMPLES = /```text\n\$ npx kinetis-queue ([^\n]*)\n([^]*?)```/g;

const page = readFileSync(PAGE, 'utf8');

test('every command has a section, in their order', () => {
  const sections = [...page.matchAll(/^## `([^`]+)`$/gm)].map(([, name]) => name);
  expect(sections).toEqual(COMMANDS.map(({ name }) => name));
});

test.each(COMMANDS.map((command) => [command.name, command] as const))(
  'the page names every flag of %s',
  (name, { options }) => {
    const [section = ''] = page.split(`\n## \`${name}\`\n`)[1]?.split('\n## ') ?? [];
    const common = page.slice(0, page.indexOf('\n## `stats`'));
    const missing = Object.values<Option<unknown>>(options)
      .map(({ flag }) => `--${flag}`)
      .filter((flag) => !section.includes(flag) && !common.includes(flag));
    expect(missing).toEqual([]);
  },
);

function reportJob(): NewJob {
  const id = '8f14e45fceea167a5a36dedd4bea2543';
  const body = encodeBody({
    id,
    pushedAt: '2026-03-01T06:00:00.000Z',
    class: 'BuildReport',
    args: { month: '2026-02', apiKey: 'not-shown' },
    maxAttempts: 3,
    metadata: { tenant: 'acme' },
    chain: [],
  });
  return { ...newJob({ queue: 'reports' }), id, body };
}

/** The environment of the page's examples, over stores that hold what they show. */
async function exampleEnvironment(): Promise<Readonly<Record<string, string>>> {
  const [store, ledger] = [await sqliteStore(), await sqliteStore('ledger')];
  const { backend } = store;
  await failJob(backend, reportJob(), 'the warehouse did not answer');
  await backend.store([newJob()]);
  await backend.reserve(['mail'], 1);
  await backend.store([newJob(), newJob(), newJob({ delaySeconds: 3_600 }), newJob({ queue: 'imports' })]);
  await commandLine(['pause', '--queue=imports'], { env: store.env });
  return {
    QUEUE_CONNECTIONS: 'default,ledger',
    QUEUE_CONNECTION: 'sql',
    DB_DATABASE: store.env['DB_DATABASE'] ?? '',
    QUEUE_LEDGER_CONNECTION: 'sql',
    DB_LEDGER_DATABASE: ledger.env['DB_LEDGER_DATABASE'] ?? '',
  };
}

/** Times, and the room that they take in a table, are others at each run. */
const withoutTimes = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/\b\d+ (ms|s)\b/g, '<age>')
    .replaceAll(/ {2,}/g, '  ');

test('the page shows what its commands print', async () => {
  const env = await exampleEnvironment();
  const printed: string[] = [];
  for (const [, line = ''] of page.matchAll(EXAMPLES)) {
    const { out, err } = await commandLine(line.split(' '), { env });
    printed.push(`${err}${out}`.replace(/\n+$/, '\n'));
  }
  expect(printed.length).toBeGreaterThan(8);
  if (process.env['KINETIS_WRITE_DOCS'] === '1') {
    let next = 0;
    writeFileSync(
      PAGE,
      page.replaceAll(
        EXAMPLES,
        (_, line: string) => `\`\`\`text\n$ npx kinetis-queue ${line}\n${printed[next++]}\`\`\``,
      ),
    );
    return;
  }
  const shown = [...page.matchAll(EXAMPLES)].map(([, , text = '']) => text);
  expect(printed.map(withoutTimes)).toEqual(shown.map(withoutTimes));
});
