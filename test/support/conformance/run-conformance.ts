import { afterAll, describe, expect, test } from 'vitest';
import { type ConformanceHarness, planConformance } from '../../../lib/testing.js';

/** How many cases of the suite a backend runs, and how many do not apply to it: a case that vanishes is noticed. */
export interface ExpectedCases {
  readonly run: number;
  readonly notApplicable: number;
}

export interface RunConformanceOptions {
  /** Several cases run at the same time, each on a store of its own: where time cannot be moved most of a case is waiting. */
  readonly concurrent?: boolean;
}

/** Runs the suite on one backend, a test a case, and names what does not apply with the capability that is missing. */
export function runConformance(
  harness: ConformanceHarness,
  expected: ExpectedCases,
  { concurrent = false }: RunConformanceOptions = {},
): void {
  const { applicable, inapplicable } = planConformance(harness);
  describe(`conformance of ${harness.name}`, () => {
    for (const { title, run } of applicable) test(`${title}`, { concurrent }, () => run(harness));

    test('runs the number of cases that is written down here', () => {
      expect({ run: applicable.length, notApplicable: inapplicable.length }).toEqual(expected);
    });

    afterAll(() => {
      const lines = inapplicable.map(
        ({ title, unmet }) => `  not applicable: ${title} (${unmet.join(', ')})`,
      );
      const total = `${harness.name}: ${applicable.length} cases run, ${inapplicable.length} not applicable`;
      console.log([total, ...lines].join('\n'));
    });
  });
}
