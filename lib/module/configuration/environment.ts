import { QueueConfigurationException } from '../../contract/index.js';
import { DEFAULT_CONNECTION } from '../../queue/index.js';
import { readOption } from './check-option.js';
import {
  CONNECTION_OPTIONS,
  type ConnectionOptionKey,
  DRIVERS,
  type EnvironmentConnection,
} from './connection-options.js';
import { readRabbitMq, readSqs } from './broker-settings.js';
import { refuse } from './given-options.js';
import { readDatabase } from './database.js';
import { readRedis } from './redis-server.js';
import { misspeltVariable } from './inspect-environment.js';
import type { Option } from './option.js';
import { assertDistinctVariables, type Environment, textOf, variableOf } from './variables.js';
import { type GivenWorkerOptions, WORKER_OPTIONS } from './worker-options.js';

/** Without a variable of its own, a connection takes these from the one that serves all. */
const SHARED: readonly ConnectionOptionKey[] = ['visibilityTimeoutSeconds', 'prefix'];

/** The names of the connections that the environment describes. */
export function readConnectionNames(environment: Environment): readonly string[] {
  const text = textOf(environment, 'QUEUE_CONNECTIONS');
  if (text === null) return [DEFAULT_CONNECTION];
  const names = readOption(CONNECTION_OPTIONS.connections, 'QUEUE_CONNECTIONS', text);
  assertDistinctVariables(names);
  return names;
}

/** One connection as the environment describes it. */
export function readConnection(environment: Environment, connection: string): EnvironmentConnection {
  const driver = readDriver(environment, connection);
  const own: Record<string, unknown> = {};
  for (const key of Object.keys(CONNECTION_OPTIONS) as (keyof typeof CONNECTION_OPTIONS)[]) {
    if (key === 'connections' || key === 'driver') continue;
    const option: Option<unknown> = CONNECTION_OPTIONS[key];
    const names = [variableOf(option, connection), SHARED.includes(key) ? option.variable : null];
    const found = names.find((name) => name !== null && textOf(environment, name) !== null);
    if (!found) continue;
    const text = textOf(environment, found) ?? '';
    own[key] = readOption(option, found, text);
    if (driver === 'sqs' && key === 'visibilityTimeoutSeconds' && !Number.isInteger(own[key])) {
      refuse(found, 'whole seconds with sqs', text);
    }
  }
  const prefix = own['prefix'] as string | undefined;
  return {
    ...own,
    driver,
    database: driver === 'sql' ? readDatabase(environment, connection) : null,
    redis: driver === 'redis' ? readRedis(environment, connection) : null,
    rabbitmq: driver === 'rabbitmq' ? readRabbitMq(environment, connection, prefix) : null,
    sqs: driver === 'sqs' ? readSqs(environment, connection, prefix) : null,
  };
}

function readDriver(environment: Environment, connection: string): EnvironmentConnection['driver'] {
  const variable = variableOf(CONNECTION_OPTIONS.driver, connection) ?? '';
  const text = textOf(environment, variable);
  const values = DRIVERS.join(', ');
  if (text === null) {
    const misspelt = misspeltVariable(environment, variable, [connection]);
    throw new QueueConfigurationException(
      `The connection "${connection}" has no backend: expected \`connections\` of KinetisQueueModule to hold it, or ` +
        `${variable} to be one of ${values}; came neither. Nothing is chosen silently.` +
        (misspelt === null ? '' : ` The environment holds ${misspelt}: did you mean ${variable}?`),
    );
  }
  return readOption(CONNECTION_OPTIONS.driver, variable, text);
}

/** What the environment says of a worker. */
export function readWorkerEnvironment(environment: Environment): GivenWorkerOptions {
  const given: Record<string, unknown> = {};
  for (const [key, option] of Object.entries(WORKER_OPTIONS) as [string, Option<unknown>][]) {
    const text = option.variable === null ? null : textOf(environment, option.variable);
    if (option.variable !== null && text !== null) given[key] = readOption(option, option.variable, text);
  }
  return given;
}
