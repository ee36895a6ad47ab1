import { expect, test } from 'vitest';
import { clockFinding } from '../../lib/contract/index.js';

test.each([
  ['the same', 10_000, 9_990, 10_010, 'ok', "the server's clock is this machine's"],
  ['within the time of the question', 12_900, 10_000, 14_000, 'ok', "is this machine's"],
  ['ahead', 13_200, 9_990, 10_010, 'warning', 'is 3.2 s ahead of'],
  ['behind', 5_000, 9_990, 10_010, 'warning', 'is 5 s behind'],
])('a clock that is %s', (_, serverMs, before, after, level, message) => {
  const finding = clockFinding(serverMs, before, after);
  expect(finding).toMatchObject({ topic: 'clock', level, message: expect.stringContaining(message) });
  expect(finding.mend === null).toBe(level === 'ok');
});
