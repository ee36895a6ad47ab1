import { expect, test } from 'vitest';
import { Progress } from '../../lib/cli/output/progress.js';
import { Terminal } from '../../lib/cli/output/terminal.js';

function progressOn(isTTY: boolean, total: number) {
  const written: string[] = [];
  const stream = { isTTY, write: (text: string) => void written.push(text) };
  return { written, progress: new Progress(new Terminal(stream, stream), 'mail', total) };
}

test('a bar is drawn over itself on a terminal, and taken away in the end', () => {
  const { written, progress } = progressOn(true, 4_000);
  progress.at(1_000);
  progress.at(4_000);
  progress.end();
  expect(written).toEqual([
    '\r\x1b[2Kmail [######------------------] 1,000 of 4,000 (25 %)',
    '\r\x1b[2Kmail [########################] 4,000 of 4,000 (100 %)',
    '\r\x1b[2K',
  ]);
});

test('elsewhere it is a line for each tenth', () => {
  const { written, progress } = progressOn(false, 40);
  for (const done of [1, 2, 4, 5, 7, 30, 40, 41]) progress.at(done);
  progress.end();
  expect(written).toEqual(['mail: 4 of 40 (10 %)\n', 'mail: 30 of 40 (75 %)\n', 'mail: 40 of 40 (100 %)\n']);
});

test('nothing to do shows nothing', () => {
  const { written, progress } = progressOn(true, 0);
  progress.at(0);
  progress.end();
  expect(written).toEqual([]);
});

test('work that takes its time is asked how much is left', async () => {
  const { written, progress } = progressOn(false, 10);
  let end: (value: string) => void = () => undefined;
  const work = new Promise<string>((resolve) => (end = resolve));
  let asked = 0;
  const result = await progress.while(work, async () => {
    asked += 1;
    if (asked === 2) end('done');
    return asked === 1 ? 5 : 0;
  });
  expect({ result, written }).toEqual({ result: 'done', written: ['mail: 5 of 10 (50 %)\n'] });
});
