import type * as v from 'valibot';
import { readGiven } from './given-options.js';
import type { Option } from './option.js';
import { RABBITMQ_OPTIONS } from './rabbitmq-options.js';
import { SQS_OPTIONS } from './sqs-options.js';
import type { Environment } from './variables.js';

type Given<Options extends Readonly<Record<string, Option<unknown>>>> = {
  readonly [K in keyof Options]?: v.InferOutput<Options[K]['schema']>;
};

/** A broker and its queues as `rabbitmq()` takes them; empty for the one on this machine. */
export type EnvironmentRabbitMq = Given<typeof RABBITMQ_OPTIONS>;

/** A service and its queues as `sqs()` takes them. */
export type EnvironmentSqs = Given<typeof SQS_OPTIONS>;

/** `prefix` begins the names of tables and keys elsewhere; a prefix of queues' own goes before it. */
export function readRabbitMq(
  environment: Environment,
  connection: string,
  prefix: string | undefined,
): EnvironmentRabbitMq {
  const given = readGiven(RABBITMQ_OPTIONS, RABBITMQ_OPTIONS.url, environment, connection);
  return { ...queuePrefixOf(prefix), ...given };
}

export function readSqs(
  environment: Environment,
  connection: string,
  prefix: string | undefined,
): EnvironmentSqs {
  const given = readGiven(SQS_OPTIONS, SQS_OPTIONS.endpoint, environment, connection);
  return { ...queuePrefixOf(prefix), ...given };
}

function queuePrefixOf(prefix: string | undefined): { readonly queuePrefix?: string } {
  return prefix === undefined ? {} : { queuePrefix: prefix };
}
