import type { JobDefinition } from '../job-definition.js';
import type { JobDelivery } from '../job-delivery.js';
import type { JobListing } from './job-listing.js';
import type { JobMethod } from './job-method.js';
import type { MethodPlan } from './method-plan.js';
import { isStatic, type NestModule, type ProviderWrapper } from './nest-container.js';

/** For a method of a listed job class. */
export class HandlerPlan implements MethodPlan {
  readonly definition: JobDefinition;
  readonly method: JobMethod;
  readonly host: NestModule;
  /** The provider that asks for the arguments; its token is private to the host module. */
  readonly wrapper: ProviderWrapper;
  readonly isStatic: boolean;
  /** What the parameters resolve to: null is the delivery, undefined an optional provider that is missing. */
  readonly #sources: readonly (ProviderWrapper | null | undefined)[];
  readonly #takesDelivery: boolean;
  #fixed: unknown[] | null = null;

  constructor(listing: JobListing, wrapper: ProviderWrapper, host: NestModule) {
    this.definition = listing.definition;
    this.method = listing.method;
    this.host = host;
    this.wrapper = wrapper;
    const providers = wrapper.getCtorMetadata() ?? [];
    this.#sources = listing.parameters.map((parameter, index) =>
      parameter.kind === 'delivery' ? null : providers[index],
    );
    this.#takesDelivery = this.#sources.includes(null);
    this.isStatic = this.#sources.every((source) => source == null || isStatic(source));
  }

  staticArguments(delivery: JobDelivery): unknown[] | Promise<unknown[]> {
    if (this.#fixed !== null) return this.#withDelivery(this.#fixed, delivery);
    const values = this.#sources.map((source): unknown => source?.instance);
    if (values.some((value, index) => value instanceof Promise && this.#sources[index]?.async === true)) {
      return Promise.all(values).then((settled) => this.#withDelivery((this.#fixed = settled), delivery));
    }
    this.#fixed = values;
    return this.#withDelivery(values, delivery);
  }

  argumentsFrom(resolved: unknown, delivery: JobDelivery): unknown[] {
    const values = Array.isArray(resolved) ? resolved.slice(0, this.#sources.length) : [];
    return this.#withDelivery(values, delivery);
  }

  #withDelivery(values: unknown[], delivery: JobDelivery): unknown[] {
    if (!this.#takesDelivery) return values;
    return values.map((value, index) => (this.#sources[index] === null ? delivery : value));
  }
}
