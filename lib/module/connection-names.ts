import { isName, NAME_PATTERN, QueueConfigurationException, describe } from '../contract/index.js';
import { DEFAULT_CONNECTION } from '../queue/index.js';

/** Refuses a list of connections that has a bad or repeated name, or lacks `default`. */
export function assertConnectionNames(names: readonly string[]): readonly string[] {
  for (const name of names) {
    if (isName(name)) continue;
    throw new QueueConfigurationException(
      `KinetisQueueModule: connections: expected names that match ${NAME_PATTERN.source}, came ${describe(name)}.`,
    );
  }
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) {
    throw new QueueConfigurationException(
      `KinetisQueueModule: connections: expected each name once, came "${repeated}" twice.`,
    );
  }
  if (!names.includes(DEFAULT_CONNECTION)) {
    throw new QueueConfigurationException(
      `KinetisQueueModule: connections: expected "default" among them, which Queue injects by class; came ` +
        `${names.length === 0 ? 'none' : names.map((name) => `"${name}"`).join(', ')}. ` +
        'Add a backend of that name.',
    );
  }
  return names;
}
