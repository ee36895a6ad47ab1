import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { type BackendFactory, QueueConfigurationException } from '../contract/index.js';
import { didYouMean } from './configuration/did-you-mean.js';
import { environmentFactories, environmentNames } from './environment-connections.js';
import { CONNECTION_FACTORIES, CONNECTIONS_CLASS } from './queue-module.constants.js';
import type {
  QueueConnectionsFactory,
  QueueInjection,
  QueueModuleAsyncOptions,
  QueueModuleOptions,
  QueueModuleSettings,
} from './queue-module-options.js';
import { exportedTokens, queueProviders } from './queue-providers.js';
import { unknownConnectionProviders } from './unknown-connections.js';
import { InAppWorkerModule } from './worker/in-app-worker.module.js';

/**
 * Gives an application its queues. Register it once, in the root module; every module can then inject `Queue` and
 * `@InjectQueue(name)`.
 *
 * Errors at boot: `QueueConfigurationException` (what is missing or wrong, and where), `DuplicateQueueModuleException`
 * (registered twice), `QueueUnavailableException` (a backend's package is not installed).
 *
 * @publicApi
 */
@Module({})
export class KinetisQueueModule {
  /**
   * With backends that are known at once, or, without `connections`, with what the environment says.
   *
   * @example KinetisQueueModule.forRoot({ connections: { default: memory() } })
   */
  static forRoot(options: QueueModuleOptions = {}): DynamicModule {
    const { connections } = options;
    if (connections !== undefined) {
      return register(options, Object.keys(connections), [
        { provide: CONNECTION_FACTORIES, useValue: connections },
      ]);
    }
    // Names make providers, so they are read here; everything else is read, and complained about, at boot.
    const names = environmentNames(process.env);
    const factories = { provide: CONNECTION_FACTORIES, useFactory: () => environmentFactories(process.env) };
    return register(options, names, [factories], { fromEnvironment: true });
  }

  /**
   * With backends that depend on providers of the application.
   *
   * @example
   * KinetisQueueModule.forRootAsync({
   *   connections: ['default', 'ledger'],
   *   inject: [ConfigService],
   *   useFactory: (config) => ({ default: sql({ … }), ledger: memory() }),
   * })
   */
  static forRootAsync<
    const Names extends readonly string[],
    const Tokens extends readonly QueueInjection[] = [],
    Given extends Readonly<Record<Names[number], BackendFactory>> = never,
  >(options: QueueModuleAsyncOptions<Names, Tokens, Given>): DynamicModule {
    const names: readonly string[] = options.connections;
    return register(options, names, asyncProviders(options), { imports: options.imports });
  }
}

const KNOWN_OPTIONS: ReadonlySet<string> = new Set([
  'captureMetadata',
  'connections',
  'imports',
  'inject',
  'isGlobal',
  'middleware',
  'telemetry',
  'useClass',
  'useExisting',
  'useFactory',
  'worker',
]);

/** TypeScript refuses a misspelt option of a literal, but not of an object that comes from elsewhere. */
function refuseUnknownOptions(options: object): void {
  for (const key of Object.keys(options)) {
    if (KNOWN_OPTIONS.has(key)) continue;
    throw new QueueConfigurationException(
      `KinetisQueueModule: unknown option ${key}.${didYouMean(key, KNOWN_OPTIONS)}`,
    );
  }
}

interface Registration {
  readonly imports?: DynamicModule['imports'];
  readonly fromEnvironment?: boolean;
}

function register(
  options: QueueModuleSettings,
  connections: readonly string[],
  factories: Provider[],
  { imports = [], fromEnvironment = false }: Registration = {},
): DynamicModule {
  refuseUnknownOptions(options);
  const { captureMetadata, middleware = [], telemetry, worker, isGlobal = true } = options;
  const providers = queueProviders({
    connections,
    fromEnvironment,
    captureMetadata,
    middleware,
    telemetry,
    worker,
  });
  // Read by Nest while it scans, when every file of the application has been loaded.
  const all = () => [...factories, ...providers, ...unknownConnectionProviders(connections)];
  return {
    module: KinetisQueueModule,
    global: isGlobal,
    imports: [...imports, InAppWorkerModule],
    get providers() {
      return all();
    },
    get exports() {
      return exportedTokens(all());
    },
  };
}

function asyncProviders<Names extends readonly string[], Tokens extends readonly QueueInjection[], Given>(
  options: QueueModuleAsyncOptions<Names, Tokens, Given>,
): Provider[] {
  if (options.useFactory !== undefined) {
    const { useFactory, inject } = options;
    return [{ provide: CONNECTION_FACTORIES, useFactory, inject: [...(inject ?? [])] }];
  }
  const create = (factory: QueueConnectionsFactory) => factory.createQueueConnections();
  if (options.useClass !== undefined) {
    return [
      { provide: CONNECTIONS_CLASS, useClass: options.useClass },
      { provide: CONNECTION_FACTORIES, useFactory: create, inject: [CONNECTIONS_CLASS] },
    ];
  }
  return [{ provide: CONNECTION_FACTORIES, useFactory: create, inject: [options.useExisting] }];
}
