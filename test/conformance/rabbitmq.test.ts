import { afterAll } from 'vitest';
import { openRabbitMqHarnesses } from '../support/conformance/rabbitmq-harness.js';
import { runConformance } from '../support/conformance/run-conformance.js';

const { ladder, hold, close } = await openRabbitMqHarnesses('classic');
afterAll(close);

runConformance(ladder, { run: 352, notApplicable: 277 }, { concurrent: true });
runConformance(hold, { run: 342, notApplicable: 287 }, { concurrent: true });
