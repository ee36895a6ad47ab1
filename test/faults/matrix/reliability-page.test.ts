import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import type { Violation } from '../judge/verdict.js';
import { memoryTarget } from '../targets/memory.target.js';
import type { TrialResult } from '../trial.js';
import { CELLS } from './cells.js';
import type { Field } from './field.js';
import { matrixOptions, type MatrixOptions } from './matrix-options.js';
import { reliabilityPage } from './reliability-page.js';

const options = matrixOptions(['--seed=5', '--trials=100']) as MatrixOptions;

function result(seed: number, violations: readonly Violation[] = []): TrialResult {
  const counts = {
    attempted: 200,
    accepted: 200,
    handled: 200,
    lost: 0,
    unexpected: 0,
    duplicated: 2,
    recovered: 1,
  };
  const verdict = { counts, causes: { returned: 2 }, violations };
  return { cell: 'c', target: 'memory', seed, verdict, durationMs: 1, folder: null };
}

function fieldOf(results: TrialResult[], reason: string | null = null, errors: string[] = []): Field {
  const [cell] = CELLS;
  if (cell === undefined) throw new Error('Expected a cell.');
  return { cell, target: memoryTarget, reason, results, errors };
}

const clean = Array.from({ length: 100 }, (_, round) => result(5 + round));
const lost: Violation = { rule: 'lost', promise: 'P1', text: 'job 3 was accepted and never done', lines: [] };

describe('docs/reliability.md', () => {
  it('states the bound that so many clean trials allow, and never "never"', () => {
    const page = reliabilityPage([fieldOf(clean)], options);
    expect(page).toContain('100 clean trials allow the claim that fewer than 3.0 %');
    expect(page).toContain('seeds from 5,');
    expect(page.replace('Run though never pushed', '')).not.toMatch(/\bnever\b/);
  });

  it('allows no bound when a trial was broken, and names it with its seed', () => {
    const page = reliabilityPage([fieldOf([...clean, result(105, [lost])])], options);
    expect(page).toContain('No bound');
    expect(page).toContain('seed 105: P1 lost: job 3 was accepted and never done.');
  });

  it('allows no bound when a trial could not be held', () => {
    const page = reliabilityPage([fieldOf(clean, null, ['no server'])], options);
    expect(page).toContain('No bound');
    expect(page).toContain('the trial could not be held: no server');
  });

  it('is formatted as every file of the repository is', async () => {
    const page = reliabilityPage([fieldOf(clean), fieldOf([], 'it keeps nothing')], options);
    const config = await resolveConfig('docs/reliability.md');
    expect(await format(page, { ...config, parser: 'markdown' })).toBe(page);
  });

  it('shows an empty field with its reason', () => {
    const page = reliabilityPage([fieldOf([], 'it keeps nothing')], options);
    expect(page).toContain('Nothing: no trial was held.');
    expect(page).toContain('memory: it keeps nothing.');
  });
});
