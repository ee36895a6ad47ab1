import * as v from 'valibot';
import { NAME_PATTERN } from '../../contract/index.js';
import type { EnvironmentRabbitMq, EnvironmentSqs } from './broker-settings.js';
import type { EnvironmentDatabase } from './database.js';
import type { EnvironmentRedis } from './redis-server.js';
import { option, parseList, parseNumber } from './option.js';

/** Drivers that the environment can name. */
export const DRIVERS = ['sync', 'memory', 'sql', 'redis', 'rabbitmq', 'sqs'] as const;

const name = v.pipe(v.string(), v.regex(NAME_PATTERN));

/** What the environment says of connections. A connection "ledger" reads the variables with LEDGER in them. */
export const CONNECTION_OPTIONS = {
  connections: option({
    variable: 'QUEUE_CONNECTIONS',
    takes: 'names',
    summary: 'The connections of the application, separated by commas; "default" is one of them.',
    expected: 'names, separated by commas, each once, "default" among them',
    otherwise: 'default',
    parse: parseList,
    schema: v.pipe(
      v.array(name),
      v.includes('default'),
      v.check((names) => new Set(names).size === names.length),
    ),
  }),
  driver: option({
    variable: 'QUEUE_CONNECTION',
    variableOfConnection: 'QUEUE_<NAME>_CONNECTION',
    takes: 'driver',
    summary: 'What stores the jobs. Needed where the module is given no `connections`.',
    expected: `one of ${DRIVERS.join(', ')}`,
    otherwise: 'a boot error',
    schema: v.picklist(DRIVERS),
  }),
  visibilityTimeoutSeconds: option({
    variable: 'QUEUE_VISIBILITY_TIMEOUT_SECONDS',
    variableOfConnection: 'QUEUE_<NAME>_VISIBILITY_TIMEOUT_SECONDS',
    takes: 'seconds',
    summary: 'How long a reservation lasts before the job of a worker that died runs again.',
    expected: 'a number of seconds above 0',
    fallback: 90,
    parse: parseNumber,
    schema: v.pipe(v.number(), v.finite(), v.gtValue(0)),
  }),
  prefix: option({
    variable: 'QUEUE_PREFIX',
    variableOfConnection: 'QUEUE_<NAME>_PREFIX',
    takes: 'prefix',
    summary:
      "Begins the names of the queue's tables, keys and queues: one per application and environment that share a server.",
    expected: '1 to 32 of the characters a-z A-Z 0-9 _, no digit first',
    otherwise: "the driver's own",
    schema: v.pipe(v.string(), v.regex(/^[A-Za-z_][A-Za-z0-9_]{0,31}$/)),
  }),
} as const;

export type ConnectionOptionKey = Exclude<keyof typeof CONNECTION_OPTIONS, 'connections'>;

/** One connection as the environment describes it, checked. */
export type EnvironmentConnection = {
  readonly [K in ConnectionOptionKey]?: v.InferOutput<(typeof CONNECTION_OPTIONS)[K]['schema']> | undefined;
} & {
  readonly driver: (typeof DRIVERS)[number];
  /** sql only: a database of the queue's own; null for the application's MikroORM. */
  readonly database: EnvironmentDatabase | null;
  /** redis only: where the server is; null for other drivers. */
  readonly redis: EnvironmentRedis | null;
  /** rabbitmq only: where the broker is and how its queues are declared; null for other drivers. */
  readonly rabbitmq: EnvironmentRabbitMq | null;
  /** sqs only: where the queues are; null for other drivers. */
  readonly sqs: EnvironmentSqs | null;
};
