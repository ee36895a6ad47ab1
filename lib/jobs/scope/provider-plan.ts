import type { JobDefinition } from '../job-definition.js';
import type { JobDelivery } from '../job-delivery.js';
import { HANDLE } from './job-method.js';
import type { MethodPlan } from './method-plan.js';
import { isStatic, type NestModule, type ProviderWrapper } from './nest-container.js';

/** For a job whose `handle()` gets one provider of the application, and the delivery. */
export class ProviderPlan implements MethodPlan {
  readonly method = HANDLE;
  readonly isStatic: boolean;

  constructor(
    readonly definition: JobDefinition,
    readonly wrapper: ProviderWrapper,
    readonly host: NestModule,
  ) {
    this.isStatic = isStatic(wrapper);
  }

  staticArguments(delivery: JobDelivery): unknown[] | Promise<unknown[]> {
    const instance: unknown = this.wrapper.instance;
    return instance instanceof Promise && this.wrapper.async === true
      ? instance.then((made: unknown) => [made, delivery])
      : [instance, delivery];
  }

  argumentsFrom(resolved: unknown, delivery: JobDelivery): unknown[] {
    return [resolved, delivery];
  }
}
