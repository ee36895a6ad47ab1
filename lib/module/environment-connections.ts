import type { BackendFactory } from '../contract/index.js';
import { memory } from '../backends/memory/index.js';
import { sync } from '../backends/sync/index.js';
import { QueueException } from '../contract/index.js';
import { DEFAULT_CONNECTION } from '../queue/index.js';
import type { EnvironmentConnection } from './configuration/connection-options.js';
import { readConnection, readConnectionNames } from './configuration/environment.js';
import type { Environment } from './configuration/variables.js';
import type { ConnectionFactories } from './open-connections.js';

/**
 * The names of the environment's connections. What is wrong with them is said at boot, by `environmentFactories`: an
 * import that throws is hard to catch.
 */
export function environmentNames(environment: Environment): readonly string[] {
  try {
    return readConnectionNames(environment);
  } catch (error) {
    if (error instanceof QueueException) return [DEFAULT_CONNECTION];
    throw error;
  }
}

/** The backends that the environment describes. */
export function environmentFactories(environment: Environment): ConnectionFactories {
  const names = readConnectionNames(environment);
  return Object.fromEntries(
    names.map((name) => [name, driverOf(name, readConnection(environment, name))] as const),
  );
}

function driverOf(connection: string, settings: EnvironmentConnection): BackendFactory {
  const { driver, visibilityTimeoutSeconds } = settings;
  switch (driver) {
    case 'sync':
      return sync();
    case 'memory':
      return memory(visibilityTimeoutSeconds === undefined ? {} : { leaseSeconds: visibilityTimeoutSeconds });
    case 'sql':
      return sqlOf(connection, settings);
    case 'redis':
      return redisOf(settings);
    case 'rabbitmq':
      return rabbitmqOf(settings);
    case 'sqs':
      return sqsOf(settings);
  }
}

/** Loaded only where it is named, so that the module needs no database package. */
function sqlOf(connection: string, settings: EnvironmentConnection): BackendFactory {
  return async (context) => {
    const { sql } = await import('../backends/sql/sql.js');
    return sql({
      ...sourceOf(connection, settings),
      ...(settings.prefix === undefined ? {} : { tablePrefix: settings.prefix }),
      ...(settings.visibilityTimeoutSeconds === undefined
        ? {}
        : { leaseSeconds: settings.visibilityTimeoutSeconds }),
    })(context);
  };
}

/** Loaded only where it is named, so that the module needs no ioredis. */
function redisOf({ redis: server, prefix, visibilityTimeoutSeconds }: EnvironmentConnection): BackendFactory {
  return async (context) => {
    const { redis } = await import('../backends/redis/redis.js');
    return redis({
      ...server,
      ...(prefix === undefined ? {} : { prefix }),
      ...(visibilityTimeoutSeconds === undefined ? {} : { leaseSeconds: visibilityTimeoutSeconds }),
    })(context);
  };
}

/** Loaded only where it is named, so that the module needs no amqplib. A delivery is held by its channel, not by a lease. */
function rabbitmqOf({ rabbitmq: broker }: EnvironmentConnection): BackendFactory {
  return async (context) => {
    const { rabbitmq } = await import('../backends/rabbitmq/rabbitmq.js');
    return rabbitmq({ ...broker })(context);
  };
}

/** Loaded only where it is named, so that the module needs no SDK. */
function sqsOf({ sqs: queues, visibilityTimeoutSeconds }: EnvironmentConnection): BackendFactory {
  return async (context) => {
    const { sqs } = await import('../backends/sqs/sqs.js');
    return sqs({
      ...queues,
      ...(visibilityTimeoutSeconds === undefined ? {} : { leaseSeconds: visibilityTimeoutSeconds }),
    })(context);
  };
}

/** The database that the environment describes, else the application's own MikroORM of that name. */
function sourceOf(connection: string, { database }: EnvironmentConnection) {
  if (database !== null) return database;
  return connection === DEFAULT_CONNECTION ? {} : { contextName: connection };
}
