import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { DEFERRED_RANK } from '../../../lib/contract/index.js';
import { levelOf } from '../../../lib/backends/rabbitmq/topology/index.js';

const everyMax = Array.from({ length: 253 }, (_, index) => index + 3);

it('every priority has a level below that of deferrals, a higher one never a lower level', () => {
  for (const max of everyMax) {
    let last = 0;
    let wrong = 0;
    for (let priority = -100; priority <= 100; priority += 1) {
      const level = levelOf({ rank: priority, priority }, max)!;
      if (!Number.isInteger(level) || level < last || level >= max) wrong += 1;
      last = level;
    }
    expect(wrong).toBe(0);
    expect(levelOf({ rank: -100, priority: -100 }, max)).toBe(0);
    expect(levelOf({ rank: 100, priority: 100 }, max)).toBe(max - 1);
  }
});

it('-100, 0 and 100 never share a level', () => {
  for (const max of everyMax) {
    const [low, middle, high] = [-100, 0, 100].map((priority) => levelOf({ rank: priority, priority }, max)!);
    expect(low! < middle! && middle! < high!).toBe(true);
  }
});

it('with ten levels the bounds are those of docs/rabbitmq-topology.md', () => {
  const page = readFileSync('docs/rabbitmq-topology.md', 'utf8').replaceAll('−', '-');
  const row = /^\| priority +\|(.*)$/m.exec(page)?.[1] ?? '';
  const columns = [...row.matchAll(/(-?\d+)…(-?\d+)/g)].map(([, from, to]) => [Number(from), Number(to)]);
  const levels = columns.map((bounds) => bounds.map((priority) => levelOf({ priority }, 10)));
  expect(levels).toEqual(Array.from({ length: 10 }, (_, level) => [level, level]));
  expect(columns.slice(1).map(([from]) => from! - 1)).toEqual(columns.slice(0, -1).map(([, to]) => to));
});

it('a deferred job is on the top level, whatever its priority', () => {
  for (const max of everyMax) expect(levelOf({ rank: DEFERRED_RANK, priority: -100 }, max)).toBe(max);
});

it('without levels a message has no priority', () => {
  expect(levelOf({ rank: 100, priority: 100 }, null)).toBe(undefined);
  expect(levelOf({ rank: DEFERRED_RANK, priority: 0 }, null)).toBe(undefined);
});

it('a priority that cannot be used still has a level', () => {
  fc.assert(
    fc.property(fc.anything(), (priority) => {
      const level = levelOf({ priority }, 10)!;
      expect(Number.isInteger(level) && level >= 0 && level < 10).toBe(true);
    }),
  );
});
