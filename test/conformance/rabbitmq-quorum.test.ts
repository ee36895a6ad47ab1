import { afterAll } from 'vitest';
import { openRabbitMqHarnesses } from '../support/conformance/rabbitmq-harness.js';
import { runConformance } from '../support/conformance/run-conformance.js';

const { ladder, hold, close } = await openRabbitMqHarnesses('quorum');
afterAll(close);

runConformance(ladder, { run: 347, notApplicable: 282 }, { concurrent: true });
runConformance(hold, { run: 337, notApplicable: 292 }, { concurrent: true });
