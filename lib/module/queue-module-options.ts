import type { InjectionToken, ModuleMetadata, OptionalFactoryDependency, Type } from '@nestjs/common';
import type { BackendFactory, QueueTelemetry } from '../contract/index.js';
import type { JobMiddleware } from '../jobs/index.js';
import type { CaptureMetadata } from '../queue/index.js';
import type { InAppWorkerOptions } from './worker/in-app-worker-options.js';

/** Backends by the name of their connection; `default` is the one that `Queue` injects by class. */
export interface QueueConnections {
  readonly default: BackendFactory;
  readonly [name: string]: BackendFactory;
}

/** What both ways of registering the module take. */
export interface QueueModuleSettings {
  /** Runs a worker inside this application, from its bootstrap to its close. */
  readonly worker?: InAppWorkerOptions;
  /** Asked at each push for metadata that travels with the job: a tenant, a correlation id. */
  readonly captureMetadata?: CaptureMetadata;
  /**
   * Classes of providers that run around each delivery, the first outermost. Each has to be among the providers of some
   * module of the application.
   */
  readonly middleware?: readonly Type<JobMiddleware>[];
  /** Hooks around pushes and deliveries. */
  readonly telemetry?: QueueTelemetry;
  /** Whether every module sees the queues without importing this one (true). */
  readonly isGlobal?: boolean;
}

/**
 * Options of `KinetisQueueModule.forRoot`. Without `connections` the environment decides (`QUEUE_CONNECTION`).
 *
 * @publicApi
 */
export interface QueueModuleOptions extends QueueModuleSettings {
  readonly connections?: QueueConnections;
}

/** What `inject` may hold. */
export type QueueInjection = InjectionToken | OptionalFactoryDependency;

/** The instances that tokens stand for: a class gives its instance, a text or symbol whatever the factory expects. */
export type InjectedValues<Tokens extends readonly QueueInjection[]> = {
  -readonly [Index in keyof Tokens]: InjectedValue<Tokens[Index]>;
};

// A class's parameters are its own business; a text says nothing of what it stands for, so the factory decides.
/* oxlint-disable typescript/no-explicit-any */
type InjectedValue<Token> = Token extends abstract new (...args: any[]) => infer Instance
  ? Instance
  : Token extends { token: infer Inner; optional: true }
    ? InjectedValue<Inner> | undefined
    : Token extends { token: infer Inner }
      ? InjectedValue<Inner>
      : any;
/* oxlint-enable typescript/no-explicit-any */

/** Exactly the backends that `Names` lists: one missing or one too many does not compile. */
export type ExactConnections<Names extends readonly string[], Given> = Given & {
  readonly [Name in Exclude<keyof Given, Names[number]>]: never;
};

/**
 * A provider that makes the backends of `KinetisQueueModule.forRootAsync({ connections, useClass | useExisting })`.
 *
 * @publicApi
 */
export interface QueueConnectionsFactory<Name extends string = string> {
  createQueueConnections():
    Promise<Readonly<Record<Name, BackendFactory>>> | Readonly<Record<Name, BackendFactory>>;
}

/** The names of connections; `default` has to be among them. */
export type ConnectionNames<Names extends readonly string[]> = 'default' extends Names[number]
  ? Names
  : readonly ['the connection "default" is missing'];

interface AsyncBase<Names extends readonly string[]> extends QueueModuleSettings {
  /** The names of the connections, known before any provider exists: each becomes injectable. */
  readonly connections: Names & ConnectionNames<Names>;
  readonly imports?: ModuleMetadata['imports'];
}

interface ByFactory<
  Names extends readonly string[],
  Tokens extends readonly QueueInjection[],
  Given,
> extends AsyncBase<Names> {
  /** Providers that `useFactory` gets, in order. */
  readonly inject?: Tokens;
  useFactory(
    ...dependencies: InjectedValues<NoInfer<Tokens>>
  ): Promise<ExactConnections<Names, Given>> | ExactConnections<Names, Given>;
  readonly useClass?: never;
  readonly useExisting?: never;
}

interface ByClass<Names extends readonly string[]> extends AsyncBase<Names> {
  readonly useClass: Type<QueueConnectionsFactory<Names[number]>>;
  readonly inject?: never;
  readonly useFactory?: never;
  readonly useExisting?: never;
}

interface ByExisting<Names extends readonly string[]> extends AsyncBase<Names> {
  readonly useExisting: Type<QueueConnectionsFactory<Names[number]>> | string | symbol;
  readonly inject?: never;
  readonly useFactory?: never;
  readonly useClass?: never;
}

/**
 * Options of `KinetisQueueModule.forRootAsync`.
 *
 * @publicApi
 */
export type QueueModuleAsyncOptions<
  Names extends readonly string[],
  Tokens extends readonly QueueInjection[],
  Given,
> = ByFactory<Names, Tokens, Given> | ByClass<Names> | ByExisting<Names>;
