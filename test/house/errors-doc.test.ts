import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import * as exceptions from '../../lib/contract/exceptions/index.js';
import { QueueException } from '../../lib/contract/exceptions/index.js';

const folder = 'lib/contract/exceptions';

interface Section {
  readonly code: string;
  readonly className: string | undefined;
  readonly text: string;
}

/** Class name to code, of every exception that can be raised: the abstract ones have no code. */
const codes = new Map<string, string>();
let sections: readonly Section[];

beforeAll(async () => {
  for (const file of await readdir(folder)) {
    const source = await readFile(`${folder}/${file}`, 'utf8');
    const className = /export class (\w+)/.exec(source)?.[1];
    const code = /readonly code(?:: string)? = '(\w+)'/.exec(source)?.[1];
    if (className !== undefined) codes.set(className, code ?? '(none)');
  }
  const page = await readFile('docs/errors.md', 'utf8');
  sections = page
    .split(/^### /m)
    .slice(1)
    .map((text) => ({
      code: text.slice(0, text.indexOf('\n')),
      className: /^`(\w+)`/m.exec(text)?.[1],
      text,
    }));
});

test('every exported exception class has a code of its own', () => {
  const exported = Object.entries(exceptions)
    .filter(([, value]) => typeof value === 'function' && value.prototype instanceof QueueException)
    .map(([name]) => name)
    .filter((name) => name !== 'QueueServerException');
  expect([...codes.keys()].sort()).toEqual(exported.sort());
  expect(new Set(codes.values()).size).toBe(codes.size);
  expect([...codes.values()]).not.toContain('(none)');
});

test('docs/errors.md lists the code and class of every exception, and nothing else', () => {
  const documented = sections.map(({ className, code }) => [className, code].join(' ')).sort();
  expect(documented).toEqual([...codes].map((pair) => pair.join(' ')).sort());
});

test('docs/errors.md gives a cause and a mend for each', () => {
  const incomplete = sections
    .filter(({ text }) => !/\*\*Cause:\*\* \S/.test(text) || !/\*\*Mend:\*\* \S/.test(text))
    .map(({ code }) => code);
  expect(incomplete).toEqual([]);
});
