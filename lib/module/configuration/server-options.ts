import { DATABASE_OPTIONS } from './database-options.js';
import type { Option } from './option.js';
import { RABBITMQ_OPTIONS } from './rabbitmq-options.js';
import { REDIS_OPTIONS } from './redis-options.js';
import { SQS_OPTIONS } from './sqs-options.js';

/** Options of the servers that connections are opened to, by driver. */
export const SERVER_OPTIONS = {
  sql: { title: 'Databases of `sql`', options: DATABASE_OPTIONS },
  redis: { title: 'Servers of `redis`', options: REDIS_OPTIONS },
  rabbitmq: { title: 'Brokers of `rabbitmq`', options: RABBITMQ_OPTIONS },
  sqs: { title: 'Queues of `sqs`', options: SQS_OPTIONS },
} as const;

/** The options of one driver's servers as rows. */
export function rowsOf(driver: keyof typeof SERVER_OPTIONS): readonly Option<unknown>[] {
  return Object.values(SERVER_OPTIONS[driver].options);
}

/** The options of all of them. */
export const ALL_SERVER_OPTIONS: readonly Option<unknown>[] = (
  Object.keys(SERVER_OPTIONS) as (keyof typeof SERVER_OPTIONS)[]
).flatMap(rowsOf);
