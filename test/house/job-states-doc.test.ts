import { readFileSync, writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { brokenLinks } from '../deploying/broken-links.js';
import { missingMethods } from '../../lib/contract/backend-methods.js';
import type {
  Capabilities,
  JobState,
  QueueBackend,
  QueueCounts,
  SettleOperation,
} from '../../lib/contract/index.js';
import { MEMORY_CAPABILITIES } from '../../lib/backends/memory/index.js';
import * as events from '../../lib/events/index.js';
import { backends } from '../support/docs/backends-page.js';
import { cellsOf, transitions } from './job-states/transitions.js';

const path = 'docs/job-states.md';

const waits = (seconds: number): string => (seconds === Infinity ? 'any time' : `${seconds} s at most`);

/** What differs, by capability. */
const ROWS: readonly (readonly [string, (capabilities: Capabilities) => string])[] = [
  ['2: delayed by a push', ({ maxPushDelaySeconds }) => waits(maxPushDelaySeconds)],
  ['9, 10: delayed again', ({ maxReleaseDelaySeconds }) => waits(maxReleaseDelaySeconds)],
  ['4: promoted, removed, looked at', ({ browse }) => (browse ? 'yes' : 'no')],
  ['6: lease', ({ extend }) => (extend ? 'renewed, extended' : 'none')],
  ['8: released at once, it comes', ({ keepsPlace }) => (keepsPlace ? 'first' : 'last, or anywhere')],
  ['10, 11, 12: spend an attempt', ({ freeDeferral }) => (freeDeferral ? 'no' : 'yes')],
  ['13: happens when', ({ extend }) => (extend ? 'the lease ends' : 'the channel closes')],
  [
    '13: counted as an attempt',
    ({ countsCrashes, freeDeferral }) => (countsCrashes || !freeDeferral ? 'yes' : 'no'),
  ],
  [
    '14: failed jobs are kept',
    ({ failedJobs }) => ({ yes: 'yes', scan: 'in `q.dead`', no: 'no' })[failedJobs],
  ],
  ['18, 19: cleared', ({ clear }) => (clear ? 'yes' : 'no')],
  ['late settlement is told', ({ fencedSettlement }) => (fencedSettlement ? 'always' : 'not always')],
];

function backendsTable(): Promise<string> {
  const storing = backends.filter(({ capabilities }) => capabilities.delivers);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const lines = [
    line(['transition', ...storing.map(({ name }) => name)]),
    line(['---', ...storing.map(() => '---')]),
    ...ROWS.map(([what, of]) => line([what, ...storing.map(({ capabilities }) => of(capabilities))])),
  ];
  return format(lines.join('\n'), { parser: 'markdown' });
}

const TABLE = /(<!-- backends -->\n\n)(?:\|.*\n)*\n*/;

/** To write the table of backends again: KINETIS_WRITE_DOCS=1 npx vitest run test/house/job-states-doc.test.ts */
if (process.env['KINETIS_WRITE_DOCS'] === '1') {
  const table = await backendsTable();
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(TABLE, (_, marker: string) => `${marker}${table}\n`),
  );
}

const page = readFileSync(path, 'utf8');
const svg = readFileSync('docs/job-states.svg', 'utf8');
const rows = transitions(page);

const STATES = { ready: true, delayed: true, reserved: true } satisfies Record<JobState, true>;
const OPERATIONS: Readonly<Record<SettleOperation, true>> = {
  ack: true,
  release: true,
  defer: true,
  fail: true,
  extend: true,
};

test('the table of backends says what they declare', async () => {
  const [, shown = ''] = page.split('<!-- backends -->\n\n');
  expect(shown.slice(0, shown.indexOf('\n\n') + 1)).toBe(await backendsTable());
});

const arrowsOf = (text: string): string[] =>
  [...text.matchAll(/^ {2}(\S+) --> (\w+|\[\*\])/gm)].map(
    ([, from = '', to = '']) => `${from === '[*]' ? 'start' : from}-${to === '[*]' ? 'end' : to}`,
  );

test('both diagrams have the transitions of the table, and no other', () => {
  const listed = new Set(
    rows.map(({ from, to }) => `${from === '–' ? 'start' : from}-${to === '–' ? 'end' : to}`),
  );
  expect(arrowsOf(page).sort()).toEqual([...listed].sort());
  const drawn = [...svg.matchAll(/<path id="([a-z]+-[a-z]+)"/g)].map(([, arrow = '']) => arrow);
  expect(drawn.sort()).toEqual([...listed].sort());
});

test('both diagrams say the same of each transition', () => {
  const words = (text: string): string =>
    text
      .toLowerCase()
      .replaceAll(/[^a-z]+/g, ' ')
      .trim();
  const written = [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map(([, text = '']) => words(text)).join(' ');
  for (const [, label = ''] of page.matchAll(/^ {2}\S+ --> \S+: (.*)$/gm))
    expect(written).toContain(words(label));
});

test('the page has the states of the contract', () => {
  const states = new Set(rows.flatMap(({ from, to }) => [from, to]));
  states.delete('–');
  expect([...states].sort()).toEqual([...Object.keys(STATES), 'failed'].sort());
  const counted: Readonly<Record<Exclude<keyof QueueCounts, 'oldestReadySeconds' | 'paused'>, true>> = {
    ...STATES,
    failed: true,
  };
  const listed = [...page.matchAll(/^\| (\w+) +\| [^|]+\| `(\w+)` +\|/gm)].map(([, state, count]) => [
    state,
    count,
  ]);
  expect(listed.sort()).toEqual(
    Object.keys(counted)
      .map((each) => [each, each])
      .sort(),
  );
});

test('the page has each settlement, and each other method of a backend that moves a job', () => {
  const named = new Set(rows.flatMap(({ operations }) => operations));
  const methods = missingMethods({
    capabilities: { ...MEMORY_CAPABILITIES, pushDelivery: true },
  } as QueueBackend);
  // These look, wait, or are about a queue; `settle` stands as its five operations.
  const still = /^(connect|close|count|queues|waitForWork|consume|list\w+|find\w+|settle)$/;
  const moving = methods.map(({ method }) => method).filter((method) => !still.test(method));
  const paused = ['pauseQueue', 'resumeQueue'];
  for (const method of paused) expect(page).toContain(`\`${method}\``);
  const expected = [...Object.keys(OPERATIONS), ...moving.filter((method) => !paused.includes(method))];
  expect([...named].sort()).toEqual(expected.sort());
});

test('the page has each event that a worker tells', () => {
  const told = Object.keys(events).filter((name) => name.startsWith('Job') && name !== 'JobEvent');
  expect(told.length).toBeGreaterThan(5);
  const named = [...page.matchAll(/^\|.*\| `(Job\w+)` +\|$/gm)].map(([, name]) => name);
  expect([...new Set(named)].sort()).toEqual(told.sort());
});

test('the log lines of the page are those of the operations page', () => {
  const operations = readFileSync('docs/operations.md', 'utf8');
  const lines = [...page.matchAll(/`(job\.[a-z-]+)`/g)].map(([, line = '']) => line);
  expect(lines.filter((line) => !operations.includes(`| \`${line}\` |`))).toEqual([]);
});

test('the table of settlements has each outcome that is not applied', () => {
  const [, table = ''] = page.split('## When a settlement does not arrive');
  const outcomes = cellsOf(table).map(([outcome]) => outcome?.replaceAll('`', ''));
  expect(outcomes.slice(0, 3)).toEqual(['stale', 'refused', 'unknown']);
});

test('every link of the page leads to a file of the repository', () => {
  expect(brokenLinks(path)).toEqual([]);
});
