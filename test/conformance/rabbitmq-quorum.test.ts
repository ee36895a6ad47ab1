import { afterAll } from 'vitest';
import { openRabbitMqHarnesses } from '../support/conformance/rabbitmq-harness.js';
import { runConformance } from '../support/conformance/run-conformance.js';

const { ladder, hold, close } = await openRabbitMqHarnesses('quorum');
afterAll(close);

runConformance(ladder, { run: 348, notApplicable: 283 }, { concurrent: true });
runConformance(hold, { run: 338, notApplicable: 293 }, { concurrent: true });
