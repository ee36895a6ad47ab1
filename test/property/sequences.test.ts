import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { ConformanceHarness } from '../../lib/testing.js';
import { memoryHarness } from '../support/conformance/memory-harness.js';
import { openRabbitMqHarnesses } from '../support/conformance/rabbitmq-harness.js';
import { openRedisClusterHarness, openRedisHarness } from '../support/conformance/redis-harness.js';
import { openSqlServerHarness } from '../support/conformance/sql-server-harness.js';
import { openSqliteHarness } from '../support/conformance/sqlite-harness.js';
import { openSqsHarness } from '../support/conformance/sqs-harness.js';
import { LONG } from '../support/long.js';
import { isTested } from '../support/servers.js';
import { driverNamed } from '../support/sql-servers.js';
import { arbitrarySteps } from './sequences/arbitrary-steps.js';
import { runSteps } from './sequences/run-steps.js';
import { repeated } from './repeated.js';

interface Opened {
  readonly harness: ConformanceHarness;
  close(): Promise<void>;
}

async function rabbitMq(queueType: 'classic' | 'quorum', delays: 'ladder' | 'hold'): Promise<Opened> {
  const { [delays]: harness, close } = await openRabbitMqHarnesses(queueType);
  return { harness, close };
}

/** Backends and what is special about them, how to open one, and how many sequences are tried on it. */
const backends: readonly (readonly [name: string, open: () => Promise<Opened>, runs: number])[] = [
  ['memory', async () => ({ harness: memoryHarness, close: async () => undefined }), 400],
  ['sqlite', openSqliteHarness, 40],
  ['postgres', () => openSqlServerHarness(driverNamed('postgresql')), 15],
  ['mariadb', () => openSqlServerHarness(driverNamed('mariadb')), 12],
  ['redis', openRedisHarness, 30],
  ['redis-cluster', openRedisClusterHarness, 20],
  ['rabbitmq', () => rabbitMq('classic', 'ladder'), 6],
  ['rabbitmq, hold queues', () => rabbitMq('classic', 'hold'), 4],
  ['rabbitmq-quorum', () => rabbitMq('quorum', 'ladder'), 6],
  ['sqs', () => openSqsHarness(), 10],
];
const LONGEST = 60;
const LONG_FACTOR = 20;
const TIME_LIMIT_MS = LONG ? 1_800_000 : 120_000;

for (const [name, open, runs] of backends) {
  describe.runIf(isTested(String(name.split(',')[0])))(name, () => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());

    it(
      `${name} does what the model of the contract says, whatever is done to it and in whatever order`,
      async () => {
        const { harness } = opened;
        const numRuns = LONG ? runs * LONG_FACTOR : runs;
        await fc.assert(
          fc.asyncProperty(arbitrarySteps(harness, LONGEST), (steps) => runSteps(harness, steps)),
          repeated({ numRuns, interruptAfterTimeLimit: TIME_LIMIT_MS, markInterruptAsFailure: true }),
        );
      },
      TIME_LIMIT_MS * 2,
    );
  });
}
