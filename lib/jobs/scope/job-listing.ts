import type {
  FactoryProvider,
  ForwardReference,
  InjectionToken,
  OptionalFactoryDependency,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import type { JobDefinition } from '../job-definition.js';
import type { HandlerParameter, HandlerParameters } from './handler-parameter.js';
import { FAILED, HANDLE, type JobMethod } from './job-method.js';
import { readHandlerParameters } from './read-handler-parameters.js';

/** A method of a job class as one module lists it. */
export interface JobListing extends HandlerParameters {
  readonly definition: JobDefinition;
  readonly method: JobMethod;
}

const LISTING = Symbol('kinetis.job-listing');

/**
 * The provider that lists a job: it asks for what `handle()` needs, so that the container looks it up as this module
 * sees it, and fails at boot where it cannot. Its own token is known to nobody else.
 *
 * It asks for REQUEST too, last: so it is never made at boot, and neither are the transient providers below it, while
 * its dependencies are looked up at boot on every Nest. (Later 11.x skip the look-up for a provider that is itself
 * request-scoped or transient.)
 */
export function listJob(definition: JobDefinition): FactoryProvider {
  return listMethod(definition, HANDLE);
}

/** The provider for what the method needs that `@OnJobFailed()` marks; none where the job has no such method. */
export function listFailedMethod(definition: JobDefinition): readonly FactoryProvider[] {
  return definition.onFailed == null ? [] : [listMethod(definition, FAILED)];
}

function listMethod(definition: JobDefinition, method: JobMethod): FactoryProvider {
  const { parameters, problems } = readHandlerParameters(definition, method);
  const listing: JobListing = { definition, method, parameters, problems };
  const useFactory = (...resolved: unknown[]): unknown[] => resolved;
  return {
    provide: Symbol(`${definition.target.name}.${method.name}()`),
    useFactory: Object.assign(useFactory, { [LISTING]: listing }),
    inject: [...(problems.length === 0 ? parameters : []).map(dependency), REQUEST],
  };
}

/** The listing that a provider's factory carries, null for any other provider. */
export function listingOf(factory: unknown): JobListing | null {
  if (typeof factory !== 'function') return null;
  const listing = Reflect.get(factory, LISTING) as JobListing | undefined;
  return listing ?? null;
}

function dependency(parameter: HandlerParameter): InjectionToken | OptionalFactoryDependency {
  // The delivery keeps its place, so that an index in Nest's message is the parameter's.
  if (parameter.kind === 'delivery') return REQUEST;
  // Nest takes a forward reference as a factory's dependency; its types do not say so.
  const token = parameter.token as Exclude<typeof parameter.token, ForwardReference>;
  return parameter.optional ? { token, optional: true } : token;
}
