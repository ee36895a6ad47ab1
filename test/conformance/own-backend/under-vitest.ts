import { test } from 'vitest';
import { planConformance } from '@kinetis/nestjs-queue/testing';
import { harness } from './harness.js';

const { applicable, inapplicable } = planConformance(harness);
for (const { title, run } of applicable) test.concurrent(title, () => run(harness), 60_000);
for (const { title, unmet } of inapplicable) test(title, ({ skip }) => skip(unmet.join(', ')));
