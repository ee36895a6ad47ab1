// node conformance.test.js <driver> <orm | connection>: the whole suite on a database of its own.
import { planConformance } from '@kinetis/nestjs-queue/testing';
import { after, describe, test } from 'node:test';
import { openHarness, type Source } from './harness.js';

const [driver = '', source = ''] = process.argv.slice(2);
const { harness, close } = await openHarness(driver, source as Source);
const { applicable, inapplicable } = planConformance(harness);
console.log(`${harness.name}: ${applicable.length} cases, ${inapplicable.length} not applicable`);

void describe(`conformance of ${harness.name}`, () => {
  for (const { title, run } of applicable) void test(title, () => run(harness));
  after(close);
});
