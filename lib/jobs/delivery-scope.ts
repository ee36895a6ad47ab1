import type { JobDefinition } from './job-definition.js';
import type { JobDelivery } from './job-delivery.js';

/** A provider of the application, found at boot: an event listener, a middleware. */
export interface ProviderRef {
  /** Its name, for messages. */
  readonly name: string;
  /** The Nest wrapper and module it lives in; opaque to everything but the scopes. */
  readonly wrapper: unknown;
  readonly host: unknown;
}

/**
 * One delivery's view of the container. Its context is opened at the first need: by `handle()` unless every parameter is
 * static or the delivery, or by the first `resolve()` of a provider that is not static.
 */
export interface DeliveryScope {
  /**
   * Resolves the parameters of `handle()` and calls it. A rejection is the job's failure, be it the handler's own, a
   * constructor's or that of the application's ContextIdStrategy. Never throws synchronously.
   */
  handle(job: object): Promise<unknown>;
  /**
   * Resolves the parameters of the job's method that `@OnJobFailed()` marks, as for `handle()`, and calls it; nothing
   * happens where it has none. Rejects with what any of that threw.
   */
  failed?(job: object, error: unknown): Promise<void>;
  /**
   * The instance of a provider in this scope: the static one, the tenant's, or one made for this delivery. Rejects with
   * what its constructor or the application's strategy threw, and once the scope is disposed.
   */
  resolve(provider: ProviderRef): Promise<object>;
  /**
   * Disposes what was made for this delivery and only that, dependants first. Rejects with the only error, or with an
   * AggregateError, after everything was tried. A second call waits for the first and never rejects.
   */
  dispose(): Promise<void>;
}

/** Opens the scope of a delivery. Implemented over Nest by the jobs room; injected into the worker. */
export interface DeliveryScopes {
  /** `definition` is null for a job whose class is unknown: `handle()` then rejects. Never throws, opens nothing yet. */
  open(definition: JobDefinition | null, delivery: JobDelivery): DeliveryScope;
  /**
   * The instance of a provider that needs no delivery; undefined for one that is made per delivery or per tenant. Serves
   * listeners of events that belong to no delivery.
   */
  staticInstance?(provider: ProviderRef): object | undefined;
}
