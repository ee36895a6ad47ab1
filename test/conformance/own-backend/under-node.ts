import { describe, test } from 'node:test';
import { planConformance } from '@kinetis/nestjs-queue/testing';
import { harness } from './harness.js';

const { applicable, inapplicable } = planConformance(harness);
void describe(harness.name, { concurrency: 8 }, () => {
  for (const { title, run } of applicable) void test(title, () => run(harness));
  for (const { title, unmet } of inapplicable) void test(title, { skip: unmet.join(', ') });
});
