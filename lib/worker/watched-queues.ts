import type { JobRegistry } from '../jobs/index.js';

/** The queue that is swept last. */
const LAST_QUEUE = 'default';

/**
 * What a worker watches when it is not told: every queue that a listed job of its connection names, alphabetically,
 * `default` last. A job that names no connection belongs to the one called `defaultName`. Empty without such a job.
 */
export function watchedQueues(registry: JobRegistry, connectionName: string, defaultName: string): string[] {
  const queues = new Set<string>();
  for (const definition of registry.definitions()) {
    if ((definition.connection ?? defaultName) === connectionName) queues.add(definition.queue);
  }
  const named = [...queues].filter((queue) => queue !== LAST_QUEUE).sort();
  return queues.has(LAST_QUEUE) ? [...named, LAST_QUEUE] : named;
}
