import { type Provider, Scope } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { jobDeliveryProvider } from '../jobs/scope/index.js';
import {
  ClearableQueue,
  ConnectionDirectory,
  DEFAULT_CONNECTION,
  Queue,
  QueueAdmin,
  QueueConsumer,
} from '../queue/index.js';
import { QueueApplication, type QueueApplicationSettings } from './queue-application.js';
import { type ConnectionFactories, openConnections } from './open-connections.js';
import { CONNECTION_FACTORIES, CONNECTIONS_CLASS, QUEUE_SETTINGS } from './queue-module.constants.js';
import { getQueueToken } from './queue-token.js';

/** Providers that every registration of the module has, whichever way its backends come. */
export function queueProviders(settings: QueueApplicationSettings): Provider[] {
  return [
    { provide: QUEUE_SETTINGS, useValue: settings },
    {
      provide: QueueApplication,
      inject: [ModuleRef, QUEUE_SETTINGS],
      useFactory: (moduleRef: ModuleRef, given: QueueApplicationSettings) =>
        new QueueApplication(moduleRef, given),
    },
    {
      provide: ConnectionDirectory,
      inject: [QueueApplication, CONNECTION_FACTORIES],
      useFactory: (application: QueueApplication, factories: ConnectionFactories) =>
        openConnections(application, factories),
    },
    jobDeliveryProvider,
    // Also where "default" is missing: then the error at boot says so, and not that Queue is unknown.
    ...[...new Set([DEFAULT_CONNECTION, ...settings.connections])].flatMap(facadesOf),
  ];
}

/** What only the module itself and its worker ask for. */
const INTERNAL: ReadonlySet<unknown> = new Set([
  QueueApplication,
  QUEUE_SETTINGS,
  CONNECTION_FACTORIES,
  CONNECTIONS_CLASS,
]);

/** Tokens that the module exports. */
export function exportedTokens(providers: readonly Provider[]) {
  return providers.flatMap((provider) => {
    const token = typeof provider === 'function' ? provider : provider.provide;
    return INTERNAL.has(token) ? [] : [token];
  });
}

function facadesOf(connection: string): Provider[] {
  const queue = getQueueToken(connection);
  // Transient: made where something asks for one, so that only its consumer meets the backend's refusal; and made over
  // the provider of Queue, so that a test which overrides that one overrides these too.
  const view = (facade: typeof ClearableQueue | typeof QueueAdmin | typeof QueueConsumer): Provider => ({
    provide: getQueueToken(connection, facade),
    scope: Scope.TRANSIENT,
    inject: [queue],
    useFactory: (base: Queue) => new facade(base),
  });
  return [
    {
      provide: queue,
      inject: [ConnectionDirectory],
      useFactory: (directory: ConnectionDirectory) => new Queue(directory.get(connection), directory),
    },
    view(ClearableQueue),
    view(QueueAdmin),
    view(QueueConsumer),
  ];
}
