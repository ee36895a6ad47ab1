import {
  describe,
  missingMethods,
  type QueueBackend,
  QueueConfigurationException,
} from '../contract/index.js';

/**
 * Refuses at boot what a backend function gave for a connection, where it is no `QueueBackend`: a backend of one's own
 * is held to its interface before the first push meets what is missing.
 */
export function assertBackend(connection: string, backend: unknown): asserts backend is QueueBackend {
  const place = `KinetisQueueModule: connections.${connection}`;
  if (typeof backend !== 'object' || backend === null) {
    throw new QueueConfigurationException(
      `${place}: expected its function to give a QueueBackend, came ${describe(backend)}. Return the backend, or a promise of it.`,
    );
  }
  for (const [property, type] of [
    ['driver', 'string'],
    ['capabilities', 'object'],
  ] as const) {
    const value: unknown = Reflect.get(backend, property);
    if (typeof value === type && value !== null) continue;
    throw new QueueConfigurationException(
      `${place}: ${property}: expected ${type === 'string' ? 'the name of the driver' : 'what the backend can do'}, came ` +
        `${describe(value)}. Set it on the object that the backend function returns.`,
    );
  }
  assertMethods(place, backend as QueueBackend);
}

function assertMethods(place: string, backend: QueueBackend): void {
  const missing = missingMethods(backend);
  if (missing.length === 0) return;
  const named = missing.map(({ method, capability }) => {
    const came = describe(Reflect.get(backend, method));
    if (capability === null) return `${method}() (every backend has it; came ${came})`;
    const claim = String(Reflect.get(backend.capabilities, capability));
    return `${method}() (the capability ${capability} is ${claim}; came ${came})`;
  });
  const claims = missing.some(({ capability }) => capability !== null);
  throw new QueueConfigurationException(
    `${place}: expected a QueueBackend, came one of the driver ${describe(backend.driver)} without the method ` +
      `${named.join(', ')}. Implement what is missing${claims ? ', or do not claim the capability' : ''}.`,
  );
}
