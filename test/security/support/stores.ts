import type { ConformanceHarness } from '../../../lib/testing.js';
import { memoryHarness } from '../../support/conformance/memory-harness.js';
import { openRabbitMqHarnesses } from '../../support/conformance/rabbitmq-harness.js';
import { openRedisClusterHarness, openRedisHarness } from '../../support/conformance/redis-harness.js';
import { openSqlServerHarness } from '../../support/conformance/sql-server-harness.js';
import { openSqliteHarness } from '../../support/conformance/sqlite-harness.js';
import { openSqsHarness } from '../../support/conformance/sqs-harness.js';
import { isTested } from '../../support/servers.js';
import { driverNamed } from '../../support/sql-servers.js';

/** A store of one backend, and what removes it. */
export interface TestStore {
  readonly harness: ConformanceHarness;
  close(): Promise<void>;
}

async function openRabbitMq(queueType: 'classic' | 'quorum'): Promise<TestStore> {
  const { ladder, close } = await openRabbitMqHarnesses(queueType);
  return { harness: ladder, close };
}

const OPEN: Readonly<Record<string, () => Promise<TestStore>>> = {
  memory: async () => ({ harness: memoryHarness, close: async () => undefined }),
  sqlite: openSqliteHarness,
  postgres: () => openSqlServerHarness(driverNamed('postgresql')),
  mariadb: () => openSqlServerHarness(driverNamed('mariadb')),
  'mariadb by mysql2': () => openSqlServerHarness(driverNamed('mysql')),
  redis: openRedisHarness,
  'redis-cluster': openRedisClusterHarness,
  rabbitmq: () => openRabbitMq('classic'),
  'rabbitmq-quorum': () => openRabbitMq('quorum'),
  sqs: openSqsHarness,
};

/** The stores that this run has, by name; each is opened by its own tests. */
export const testedStores = Object.entries(OPEN)
  .filter(([name]) => isTested(name.split(' ', 1)[0] as string))
  .map(([name, open]) => ({ name, open }));
