import type { JobDefinition } from './job-definition.js';
import type { JobOptions } from './job-options.js';

/** What a job may declare whatever its class looks like. */
export type SharedJobOptions = Pick<
  JobOptions,
  | 'aliases'
  | 'queue'
  | 'connection'
  | 'maxAttempts'
  | 'backoff'
  | 'priority'
  | 'leaseSeconds'
  | 'timeoutSeconds'
>;

/** The part of a definition that follows from these options, with the default of each. */
export function declaredOptions(
  name: string,
  options: SharedJobOptions,
): Pick<JobDefinition, 'name' | keyof SharedJobOptions> {
  return {
    name,
    aliases: [...new Set(options.aliases)].filter((alias) => alias !== name),
    queue: options.queue ?? 'default',
    connection: options.connection ?? null,
    maxAttempts: options.maxAttempts ?? null,
    backoff: options.backoff ?? 0,
    priority: options.priority ?? 0,
    leaseSeconds: options.leaseSeconds ?? null,
    timeoutSeconds: options.timeoutSeconds ?? null,
  };
}
