import { afterAll } from 'vitest';
import { openRabbitMqHarnesses } from '../support/conformance/rabbitmq-harness.js';
import { runConformance } from '../support/conformance/run-conformance.js';

const { ladder, hold, close } = await openRabbitMqHarnesses('classic');
afterAll(close);

runConformance(ladder, { run: 353, notApplicable: 278 }, { concurrent: true });
runConformance(hold, { run: 343, notApplicable: 288 }, { concurrent: true });
