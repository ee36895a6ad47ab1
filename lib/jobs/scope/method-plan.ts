import type { JobDefinition } from '../job-definition.js';
import type { JobDelivery } from '../job-delivery.js';
import type { JobMethod } from './job-method.js';
import type { NestModule, ProviderWrapper } from './nest-container.js';

/** Where the arguments of one method of a job come from. Made once, when every provider is known. */
export interface MethodPlan {
  readonly definition: JobDefinition;
  /** The method that is called with the arguments. */
  readonly method: JobMethod;
  readonly host: NestModule;
  /** What the container resolves in the context of a delivery, in the host module. */
  readonly wrapper: ProviderWrapper;
  /** Every argument is static or the delivery: no context is needed. */
  readonly isStatic: boolean;
  /** The arguments of a static plan. A promise only where a static provider is still one. */
  staticArguments(delivery: JobDelivery): unknown[] | Promise<unknown[]>;
  /** The arguments from what the container resolved. */
  argumentsFrom(resolved: unknown, delivery: JobDelivery): unknown[];
}
