import { type BackendFactory, describe, QueueConfigurationException } from '../contract/index.js';
import { type ConnectionDirectory, QueueConnection } from '../queue/index.js';
import { assertBackend } from './assert-backend.js';
import type { QueueApplication } from './queue-application.js';

export type ConnectionFactories = Readonly<Record<string, BackendFactory>>;

/** Builds the backend of every connection. None of them connects: that waits for the first use. */
export async function openConnections(
  application: QueueApplication,
  factories: ConnectionFactories,
): Promise<ConnectionDirectory> {
  assertExactly(application.settings.connections, factories);
  for (const [name, factory] of Object.entries(factories)) {
    const backend: unknown = await factory(application.backendContext(name));
    assertBackend(name, backend);
    application.addConnection(
      new QueueConnection({
        name,
        backend,
        reporter: application.reporter,
        captureMetadata: application.settings.captureMetadata,
        telemetry: application.settings.telemetry,
      }),
    );
  }
  return application.connections;
}

function assertExactly(
  names: readonly string[],
  factories: unknown,
): asserts factories is ConnectionFactories {
  if (typeof factories !== 'object' || factories === null) {
    throw new QueueConfigurationException(
      `KinetisQueueModule: expected an object of backends by connection, came ${describe(factories)}.`,
    );
  }
  const given = Object.keys(factories);
  const missing = names.filter((name) => !given.includes(name));
  const extra = given.filter((name) => !names.includes(name));
  if (missing.length > 0 || extra.length > 0) {
    throw new QueueConfigurationException(
      `KinetisQueueModule: expected backends for the connections ${quoted(names)}, came ${quoted(given)}.` +
        (missing.length > 0 ? ` Missing: ${quoted(missing)}.` : '') +
        (extra.length > 0 ? ` Not listed in \`connections\`: ${quoted(extra)}.` : ''),
    );
  }
  for (const [name, factory] of Object.entries(factories)) {
    if (typeof factory === 'function') continue;
    throw new QueueConfigurationException(
      `KinetisQueueModule: connections.${name}: expected a backend such as memory() or sql(), came ${describe(factory)}.`,
    );
  }
}

function quoted(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.map((name) => `"${name}"`).join(', ');
}
