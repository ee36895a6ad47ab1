import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { brokenLinks } from '../deploying/broken-links.js';
import {
  Job,
  KinetisQueueModule,
  memory,
  Queue,
  QueueException,
  UnserializableJobException,
} from '../../lib/index.js';
import { boots } from './why-refused/boots.js';
import { declarations } from './why-refused/declarations.js';
import { deliveries } from './why-refused/deliveries.js';
import { boot, type Example } from './why-refused/example.js';
import { pushes } from './why-refused/pushes.js';

const path = 'docs/why-refused.md';
const examples: Readonly<Record<string, Example>> = { ...declarations, ...boots, ...pushes, ...deliveries };
const SHOWN = /<!-- refused: (\S+) -->\n(?:\n```ts\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```\n)?/g;

/** An expression that is an argument there, or is returned, on the page stands alone. */
const asStatement = (line: string): string =>
  line.replace(/^return /, '').replace(/^(\w.*\)),(?=$| \/\/)/, '$1;');

/** What stands between `// shown: <id>` and `// end` in the files of the examples, without its indentation. */
function shownCode(): ReadonlyMap<string, string> {
  const code = new Map<string, string>();
  for (const file of readdirSync('test/house/why-refused')) {
    const source = readFileSync(`test/house/why-refused/${file}`, 'utf8');
    for (const [, indent = '', id = '', text = ''] of source.matchAll(
      /^( *)\/\/ shown: (\S+)\n([\s\S]*?)^ *\/\/ end$/gm,
    )) {
      const lines = text.split('\n').map((line) => asStatement(line.slice(indent.length)));
      code.set(id, lines.filter((line) => !line.includes('@ts-expect-error')).join('\n'));
    }
  }
  return code;
}

async function raisedBy(example: Example, id = 'a push'): Promise<Error> {
  try {
    await example();
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error(`Expected ${id} to be refused; it was not.`);
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Lines of at most 100 characters. */
function wrapped(text: string): string {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line.length + word.length > 99) {
        lines.push(line);
        line = `  ${word}`;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines.join('\n');
}

const code = shownCode();

/** To write examples and messages into the page: KINETIS_WRITE_DOCS=1 npx vitest run test/house/why-refused-doc.test.ts */
if (process.env['KINETIS_WRITE_DOCS'] === '1') {
  const messages = new Map<string, string>();
  for (const [id, example] of Object.entries(examples))
    messages.set(id, messageOf(await raisedBy(example, id)));
  const written = readFileSync(path, 'utf8').replaceAll(
    SHOWN,
    (_, id: string) =>
      `<!-- refused: ${id} -->\n\n\`\`\`ts\n${code.get(id)}\`\`\`\n\n\`\`\`text\n${wrapped(messages.get(id) ?? '')}\n\`\`\`\n`,
  );
  writeFileSync(path, written);
}

/** Nest's own errors, for a provider that is missing, have no code and go on with advice. */
function messageOf(error: Error): string {
  return error instanceof QueueException
    ? `${error.code}: ${error.message}`
    : (error.message.split('\n')[0] ?? '');
}

const page = readFileSync(path, 'utf8');
const shown = [...page.matchAll(SHOWN)].map(([, id = '', example = '', message = '']) => ({
  id,
  example,
  message,
}));

test('the page shows every example, once', () => {
  expect(shown.map(({ id }) => id).sort()).toEqual(Object.keys(examples).sort());
});

test.each(shown)('the page shows the example $id as it is', ({ id, example }) => {
  expect(example).not.toBe('');
  expect(example).toBe(code.get(id));
});

test.each(shown)('the page shows what $id is refused with', async ({ id, message }) => {
  expect(oneLine(message)).toBe(oneLine(messageOf(await raisedBy(examples[id] ?? (() => undefined)))));
});

class Note {
  constructor(readonly value: unknown) {}

  handle(): void {}
}
Job({ args: ['value'] })(Note);

describe('the table of values that cannot travel', () => {
  const [, table = ''] = page.split('<!-- values -->');
  const rows = [...table.slice(0, table.indexOf('\n#')).matchAll(/^\| `(.+?)` +\| (.+?) +\| (.+?) +\|$/gm)]
    .map(([, value = '', says = '', instead = '']) => ({ value, says, instead }))
    .filter(({ value }) => value !== 'value');

  test('has a row for each refusal of a value that the code knows', () => {
    expect(rows.length).toBeGreaterThan(20);
    const source = readFileSync('lib/jobs/wire/check-wire-value.ts', 'utf8');
    // Only on a prototype that somebody patched: one of a value's own is a function, and of its class an instance.
    const known = [...source.matchAll(/new Refusal\(\s*'([^']+)'/g)]
      .map(([, problem = '']) => problem)
      .filter((problem) => problem !== 'a value with toJSON');
    expect(known.length).toBeGreaterThan(10);
    expect(known.filter((problem) => !rows.some(({ says }) => says === problem))).toEqual([]);
  });

  test.each(rows)('$value is $says', async ({ value, says, instead }) => {
    expect(instead).not.toBe('');
    const queue = KinetisQueueModule.forRoot({ connections: { default: memory() } });
    const error = await raisedBy(() =>
      boot({ imports: [queue] }, (app) => app.get(Queue).push(new Note(runInThisContext(`(${value})`)))),
    );
    expect(error).toBeInstanceOf(UnserializableJobException);
    expect(error.message).toMatch(/^Job Note: argument "value" has no wire form: value\S* is /);
    expect(error.message).toContain(` is ${says}. `);
  });
});

test('the table of codes names those that the examples are refused with', async () => {
  const raised = await Promise.all(Object.values(examples).map((example) => raisedBy(example)));
  const [table = ''] = page.split('\n## ');
  const listed = [...table.matchAll(/^\| \[`(\w+)`\]/gm)].map(([, each]) => each);
  expect(listed.sort()).toEqual(
    [...new Set(raised.flatMap((error) => (error instanceof QueueException ? [error.code] : [])))].sort(),
  );
});

test('every link of the page leads to a file of the repository, and to a heading of it', () => {
  expect(brokenLinks(path)).toEqual([]);
});
