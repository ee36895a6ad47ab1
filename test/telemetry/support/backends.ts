import { onTestFinished } from 'vitest';
import { type BackendFactory, memory } from '../../../lib/index.js';
import { rabbitmq } from '../../../lib/rabbitmq.js';
import { redis } from '../../../lib/redis.js';
import { migrateSqlQueue, sql } from '../../../lib/sql.js';
import { sqs } from '../../../lib/sqs.js';
import { optionsOf } from '../../support/conformance/sqs-harness.js';
import { startRedisCluster } from '../../support/private-redis-cluster.js';
import { newVhost } from '../../support/rabbitmq-servers.js';
import { newPrefix } from '../../support/redis-queue.js';
import { redisTestUrl } from '../../support/redis-servers.js';
import { newQueueDatabase } from '../../support/server-queue.js';
import { isTested } from '../../support/servers.js';
import { driverNamed } from '../../support/sql-servers.js';
import { SqsEmulator } from '../../support/sqs-emulator.js';
import { SqsGateway } from '../../support/sqs-gateway.js';
import { temporaryFolder } from '../../support/sqlite-queue.js';

/** A backend that a trace goes through. */
export interface TracedBackend {
  readonly name: string;
  /** An empty store, gone when the test ends: the backend of each application on it. */
  open(): Promise<BackendFactory>;
}

const backends: readonly TracedBackend[] = [
  { name: 'memory', open: async () => memory() },
  {
    name: 'sqlite',
    async open() {
      const folder = temporaryFolder();
      onTestFinished(() => folder.remove());
      const connection = { driver: 'sqlite', file: `${folder.path}/queue.sqlite` } as const;
      await migrateSqlQueue(connection);
      return sql({ connection });
    },
  },
  {
    name: 'postgres',
    open: async () => sql({ connection: await newQueueDatabase(driverNamed('postgresql')) }),
  },
  {
    name: 'mariadb',
    open: async () => sql({ connection: await newQueueDatabase(driverNamed('mariadb')) }),
  },
  {
    name: 'redis',
    open: async () => redis({ url: redisTestUrl().href, prefix: newPrefix().prefix }),
  },
  {
    name: 'redis-cluster',
    async open() {
      const { nodes, remove } = await startRedisCluster();
      onTestFinished(remove);
      return redis({ cluster: { nodes: [...nodes] } });
    },
  },
  { name: 'rabbitmq', open: () => openRabbitMq('classic') },
  { name: 'rabbitmq-quorum', open: () => openRabbitMq('quorum') },
  {
    name: 'sqs',
    async open() {
      const emulator = await SqsEmulator.start();
      const gateway = await SqsGateway.open(emulator, { createsQueues: true });
      onTestFinished(async () => {
        await gateway.close();
        await emulator.stop();
      });
      return sqs({ ...optionsOf(gateway), waitTimeSeconds: 1 });
    },
  },
];

/** Those that this run tests. */
export const tracedBackends: readonly TracedBackend[] = backends.filter(({ name }) => isTested(name));

async function openRabbitMq(queueType: 'classic' | 'quorum'): Promise<BackendFactory> {
  const vhost = await newVhost();
  onTestFinished(() => vhost.remove());
  return rabbitmq({ url: vhost.url.href, queueType });
}
