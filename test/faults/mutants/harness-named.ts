import type { ConformanceHarness } from '../../../lib/testing.js';
import { memoryHarness } from '../../support/conformance/memory-harness.js';
import type { StoreName } from './stores.js';

interface OpenedHarness {
  readonly harness: ConformanceHarness;
  close(): Promise<void>;
}

async function openSql(name: 'postgresql' | 'mariadb'): Promise<OpenedHarness> {
  const { openSqlServerHarness } = await import('../../support/conformance/sql-server-harness.js');
  const { driverNamed } = await import('../../support/sql-servers.js');
  return openSqlServerHarness(driverNamed(name));
}

async function openRabbitMq(way: 'ladder' | 'hold'): Promise<OpenedHarness> {
  const { openRabbitMqHarnesses } = await import('../../support/conformance/rabbitmq-harness.js');
  const { close, ...harnesses } = await openRabbitMqHarnesses('classic');
  return { harness: harnesses[way], close };
}

const open: { readonly [Name in StoreName]: () => Promise<OpenedHarness> } = {
  memory: async () => ({ harness: memoryHarness, close: async () => {} }),
  sqlite: async () => (await import('../../support/conformance/sqlite-harness.js')).openSqliteHarness(),
  postgresql: () => openSql('postgresql'),
  mariadb: () => openSql('mariadb'),
  redis: async () => (await import('../../support/conformance/redis-harness.js')).openRedisHarness(),
  'rabbitmq, ladder': () => openRabbitMq('ladder'),
  'rabbitmq, hold': () => openRabbitMq('hold'),
  sqs: async () => (await import('../../support/conformance/sqs-harness.js')).openSqsHarness(),
};

/** Opens a store of the library that this module stands in. */
export function openHarness(store: StoreName): Promise<OpenedHarness> {
  return open[store]();
}
