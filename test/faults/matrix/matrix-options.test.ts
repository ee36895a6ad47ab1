import { describe, expect, it } from 'vitest';
import { TARGET_NAMES } from '../target.js';
import { CELLS } from './cells.js';
import { matrixOptions, USAGE } from './matrix-options.js';

describe('the options of a run of the matrix', () => {
  it('are every cell on every target, once, when nothing is said', () => {
    const options = matrixOptions([]);
    expect(options).toMatchObject({ targets: TARGET_NAMES, trials: 1, json: null, writesDocs: false });
    expect(options?.cells).toEqual(CELLS.map(({ name }) => name));
  });

  it('narrow cells and targets by one list', () => {
    const options = matrixOptions(['--only=worker-killed,redis', '--only=sqs', '--seed=7', '--trials=3']);
    expect(options).toMatchObject({
      cells: ['worker-killed'],
      targets: ['redis', 'sqs'],
      seed: 7,
      trials: 3,
    });
  });

  it('hold more trials for a release', () => {
    expect(matrixOptions(['--release'])?.trials).toBeGreaterThan(1);
    expect(matrixOptions(['--release', '--trials=2'])?.trials).toBe(2);
  });

  it('have no limit of time unless one is given', () => {
    expect(matrixOptions(['--release'])?.minutes).toBe(Infinity);
    expect(matrixOptions(['--release', '--minutes=60'])?.minutes).toBe(60);
  });

  it('name what was expected and what came', () => {
    expect(() => matrixOptions(['--only=nosuch'])).toThrow(
      /expected names of cells or targets, came "nosuch"/,
    );
    expect(() => matrixOptions(['--seed=0'])).toThrow(/--seed: expected an integer of 1 or more, came "0"/);
    expect(() => matrixOptions(['--trials=many'])).toThrow(/--trials: expected an integer/);
    expect(() => matrixOptions(['--nosuch'])).toThrow(/nosuch/);
  });

  it('are all in the usage, with every cell and target', () => {
    expect(matrixOptions(['--help'])).toBeNull();
    for (const { name } of CELLS) expect(USAGE).toContain(name);
    for (const name of TARGET_NAMES) expect(USAGE).toContain(name);
  });

  it('take no two cells by one name', () => {
    expect(new Set(CELLS.map(({ name }) => name)).size).toBe(CELLS.length);
  });
});
