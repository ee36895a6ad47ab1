import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, QueueConfigurationException } from '../../contract/index.js';
import type { ConnectionFactories } from '../../module/open-connections.js';

/**
 * The connections of a `--config` file: a module whose default export is an object of backends by connection, or a
 * function, async or not, that gives one. It is loaded as Node.js loads it, ES module or CommonJS.
 */
export async function readConfigFile(file: string, folder: string): Promise<ConnectionFactories> {
  const exported = await load(file, folder);
  let connections: unknown;
  try {
    connections = typeof exported === 'function' ? await exported() : exported;
  } catch (error) {
    throw refusal(file, 'its default export to give connections', 'an error', error);
  }
  if (typeof connections !== 'object' || connections === null || Object.keys(connections).length === 0) {
    const came = typeof connections === 'object' && connections !== null ? 'none' : describe(connections);
    throw refusal(file, 'a default export such as { default: redis({ url }) }, or a function of one', came);
  }
  for (const [name, factory] of Object.entries(connections)) {
    if (typeof factory === 'function') continue;
    throw refusal(file, `a backend such as redis() or sql() for the connection "${name}"`, describe(factory));
  }
  return connections as ConnectionFactories;
}

async function load(file: string, folder: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(resolve(folder, file)).href)) as { default?: unknown };
    return module.default;
  } catch (error) {
    throw refusal(file, 'a file that Node.js can load', 'an error', error);
  }
}

function refusal(file: string, expected: string, came: string, cause?: unknown): QueueConfigurationException {
  const why = cause instanceof Error ? `: ${cause.message}` : '';
  return new QueueConfigurationException(`--config=${file}: expected ${expected}, came ${came}${why}.`, {
    cause,
  });
}
