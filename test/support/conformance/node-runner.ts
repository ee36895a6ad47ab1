import { test } from 'node:test';
import { planConformance } from '../../../lib/testing.js';
import { memoryHarness } from './memory-harness.js';

const { applicable, inapplicable } = planConformance(memoryHarness);
for (const { title, run } of applicable) void test(title, () => run(memoryHarness));
for (const { title, unmet } of inapplicable) void test(title, { skip: unmet.join(', ') }, () => {});
