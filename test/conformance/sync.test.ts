import { expect, test } from 'vitest';
import { planConformance } from '../../lib/testing.js';
import { syncHarness } from '../support/conformance/sync-harness.js';

const { applicable, inapplicable } = planConformance(syncHarness);

for (const { title, run } of applicable) test(`${title}`, () => run(syncHarness));

test('a backend that runs jobs inside their pushes is asked nothing that needs deliveries', () => {
  expect(applicable.length).toBe(6);
  const reasons = new Set(inapplicable.map(({ unmet }) => unmet[0]));
  expect([...reasons]).toEqual(['capability delivers: true']);
});
