import {
  type BeforeApplicationShutdown,
  type InjectionToken,
  Logger,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { type ModuleRef, ModulesContainer } from '@nestjs/core';
import {
  type BackendContext,
  DuplicateQueueModuleException,
  JobDeclarationException,
  type NewJob,
  type QueueTelemetry,
  type StopObserving,
} from '../contract/index.js';
import { type JobDefinition, type JobMiddleware, JobRegistry, type ProviderRef } from '../jobs/index.js';
import { discoverJobs, NestDeliveryScopes } from '../jobs/scope/index.js';
import { discoverQueuedListeners } from '../listeners/discover-queued-listeners.js';
import type { QueuedListener } from '../listeners/queued-listener.js';
import {
  type CaptureMetadata,
  ConnectionDirectory,
  type QueueConnection,
  type QueueReporter,
} from '../queue/index.js';
import { InlineRunner, type JobEventListener } from '../worker/index.js';
import { assertConnectionNames } from './connection-names.js';
import { inspectEnvironment } from './configuration/inspect-environment.js';
import { discoverListeners } from './discover-listeners.js';
import { findMiddleware } from './find-middleware.js';
import { assertKnownConnections } from './unknown-connections.js';
import type { InAppWorkerOptions } from './worker/in-app-worker-options.js';

export interface QueueApplicationSettings {
  readonly connections: readonly string[];
  /** The environment describes them, not code. */
  readonly fromEnvironment: boolean;
  readonly captureMetadata: CaptureMetadata | undefined;
  readonly middleware: readonly Type<JobMiddleware>[];
  readonly telemetry: QueueTelemetry | undefined;
  readonly worker: InAppWorkerOptions | undefined;
}

/** What the application lists, found once all its providers exist. */
export interface ApplicationJobs {
  readonly registry: JobRegistry;
  readonly scopes: NestDeliveryScopes;
  readonly listeners: readonly JobEventListener[];
  /** Methods whose work is a job for each event that the application emits. */
  readonly queuedListeners: readonly QueuedListener[];
  /** Around each delivery, the first outermost. */
  readonly middleware: readonly ProviderRef[];
}

/** Everything that one application's queues share. It is a provider, so two applications in a process share nothing. */
export class QueueApplication implements OnModuleInit, BeforeApplicationShutdown {
  readonly connections = new ConnectionDirectory();
  readonly reporter: QueueReporter;
  readonly settings: QueueApplicationSettings;
  readonly #moduleRef: ModuleRef;
  readonly #modules: ModulesContainer;
  readonly #logger = new Logger('KinetisQueue');
  readonly #inlineRunners = new Map<string, InlineRunner>();
  #jobs: ApplicationJobs | null = null;
  readonly #stopObserving: StopObserving[] = [];

  constructor(moduleRef: ModuleRef, settings: QueueApplicationSettings) {
    this.settings = settings;
    this.#moduleRef = moduleRef;
    this.#modules = moduleRef.get(ModulesContainer, { strict: false });
    this.reporter = reporterOf(this.#logger);
    this.#assertSingle();
    assertConnectionNames(settings.connections);
    assertKnownConnections(this.#modules, settings.connections);
  }

  /** Not before all providers were made: what a handler needs is known only then. */
  get jobs(): ApplicationJobs {
    this.#jobs ??= this.#discover();
    return this.#jobs;
  }

  onModuleInit(): void {
    this.#jobs ??= this.#discover();
    this.#remarkOnEnvironment();
  }

  /** After every provider's `onModuleDestroy`, which may still push, and before the application's databases close. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const stop of this.#stopObserving) this.#observe(stop);
    for (const { name, backend } of this.connections.all()) {
      try {
        await backend.close();
      } catch (error) {
        this.reporter.error(`The connection "${name}" did not close.`, error);
      }
    }
  }

  /** A connection of this application, for later calls and for telemetry. */
  addConnection(connection: QueueConnection): void {
    this.connections.add(connection);
    const stop = this.#observe(() => this.settings.telemetry?.openConnection?.(connection));
    if (typeof stop === 'function') this.#stopObserving.push(stop);
  }

  #observe<T>(call: () => T): T | undefined {
    try {
      return call();
    } catch (error) {
      this.reporter.warn('Telemetry failed to observe a connection; everything else goes on.', error);
      return undefined;
    }
  }

  backendContext(connection: string): BackendContext {
    return {
      connection,
      resolve: <T>(token: unknown) => this.#moduleRef.get<T>(token as InjectionToken, { strict: false }),
      runInline: (job) => this.#runInline(connection, job),
      warn: (message) => this.#logger.warn(message),
    };
  }

  #runInline(connection: string, job: NewJob): Promise<void> {
    let runner = this.#inlineRunners.get(connection);
    if (runner === undefined) {
      const { registry, scopes, middleware } = this.jobs;
      const telemetry = this.settings.telemetry ?? null;
      const logger = this.#logger;
      runner = new InlineRunner({ connection, registry, scopes, middleware, telemetry, logger });
      this.#inlineRunners.set(connection, runner);
    }
    return runner.run(job);
  }

  #discover(): ApplicationJobs {
    const jobs = discoverJobs(this.#modules);
    const queued = discoverQueuedListeners(this.#modules);
    const registry = new JobRegistry();
    for (const definition of [...jobs.definitions, ...queued.definitions]) {
      this.#assertConnection(definition);
      registry.add(definition);
    }
    for (const warning of [...jobs.warnings, ...queued.warnings]) this.#logger.warn(warning);
    return {
      registry,
      scopes: new NestDeliveryScopes(this.#modules, this.#moduleRef, [...jobs.plans, ...queued.plans]),
      listeners: discoverListeners(this.#modules),
      queuedListeners: queued.listeners,
      middleware: findMiddleware(this.#modules, this.settings.middleware),
    };
  }

  #assertConnection({ name, connection }: JobDefinition): void {
    const { connections } = this.settings;
    if (connection === null || connections.includes(connection)) return;
    const known = connections.map((each) => `"${each}"`).join(', ');
    throw new JobDeclarationException(
      `Job ${name}: connection: expected one of ${known}, came "${connection}". Add it to the connections of ` +
        'KinetisQueueModule, or correct the name.',
    );
  }

  /** Names of variables only: a value may be a secret. */
  #remarkOnEnvironment(): void {
    const { connections, fromEnvironment } = this.settings;
    const { used, warnings, ignored } = inspectEnvironment(process.env, connections);
    if (fromEnvironment) this.#logger.log(`Connections from the environment, read from ${used.join(', ')}.`);
    for (const warning of warnings) this.#logger.warn(warning);
    if (ignored.length > 0) this.#logger.debug(`Ignored, the platform's own: ${ignored.join(', ')}.`);
  }

  #assertSingle(): void {
    const registered = [...this.#modules.values()].filter(({ providers }) => providers.has(QueueApplication));
    if (registered.length <= 1) return;
    throw new DuplicateQueueModuleException(
      `Expected one KinetisQueueModule.forRoot() or forRootAsync() in the application, came ${registered.length}. Each ` +
        'would have connections of its own. Register it once, with all connections, and import that module elsewhere.',
    );
  }
}

function reporterOf(logger: Logger): QueueReporter {
  const withError = (message: string, error: unknown) =>
    error === undefined ? message : `${message} ${error instanceof Error ? error.message : String(error)}`;
  return {
    warn: (message, error) => logger.warn(withError(message, error)),
    error: (message, error) =>
      logger.error(withError(message, error), error instanceof Error ? error.stack : undefined),
  };
}
