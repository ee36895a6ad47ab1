import type { ModuleRef } from '@nestjs/core';
import type { DeliveryScope, ProviderRef } from '../delivery-scope.js';
import type { JobInstance } from '../job-class.js';
import type { JobDelivery } from '../job-delivery.js';
import { disposeInstances } from './dispose-instances.js';
import { forgetContext, madeInstances, settledContext } from './made-instances.js';
import type { MethodPlan } from './method-plan.js';
import { isStatic, moduleRefOf, type NestModule, type ProviderWrapper } from './nest-container.js';
import type { ProviderIndex } from './provider-index.js';
import type { RecordedContext } from './recorded-context.js';

/** What a scope needs of its application. */
export interface ScopeHost {
  readonly index: ProviderIndex;
  /** Opens the context of a delivery; throws what the application's strategy throws. */
  openContext(delivery: JobDelivery): RecordedContext;
  /** Makes what takes the strategy's payload as its REQUEST, before `wrapper` is resolved. */
  preparePayload(
    context: RecordedContext,
    wrapper: ProviderWrapper,
    delivery: JobDelivery,
  ): Promise<void> | undefined;
}

/** Shared by all scopes that have nothing to dispose. */
const NOTHING: Promise<void> = Promise.resolve();

/** The scope of one delivery. Its context is opened at the first need, so that most deliveries never have one. */
export class NestDeliveryScope implements DeliveryScope {
  readonly #host: ScopeHost;
  readonly #plan: MethodPlan | Error;
  readonly #failedPlan: MethodPlan | undefined;
  readonly #delivery: JobDelivery;
  #context: RecordedContext | null = null;
  #openFailure: { readonly error: unknown } | null = null;
  #disposal: Promise<void> | null = null;

  constructor(
    host: ScopeHost,
    plan: MethodPlan | Error,
    delivery: JobDelivery,
    failedPlan: MethodPlan | undefined,
  ) {
    this.#host = host;
    this.#plan = plan;
    this.#failedPlan = failedPlan;
    this.#delivery = delivery;
  }

  handle(job: object): Promise<unknown> {
    const plan = this.#plan;
    if (plan instanceof Error) return Promise.reject(plan);
    if (!plan.isStatic) return this.#handleInContext(job, plan);
    const resolved = plan.staticArguments(this.#delivery);
    return resolved instanceof Promise ? resolved.then((args) => call(job, args)) : call(job, resolved);
  }

  async failed(job: object, error: unknown): Promise<void> {
    const plan = this.#failedPlan;
    if (plan === undefined) return;
    const args = plan.isStatic
      ? await plan.staticArguments(this.#delivery)
      : plan.argumentsFrom(await this.#load(moduleRefOf(plan.host), plan.wrapper), this.#delivery);
    await (job as { failed(error: unknown, ...dependencies: unknown[]): unknown }).failed(error, ...args);
  }

  async resolve(provider: ProviderRef): Promise<object> {
    const wrapper = provider.wrapper as ProviderWrapper;
    if (isStatic(wrapper)) return (await wrapper.instance) as object;
    return (await this.#load(moduleRefOf(provider.host as NestModule), wrapper)) as object;
  }

  dispose(): Promise<void> {
    // The first call answers for errors; a later one only waits.
    if (this.#disposal !== null) return this.#disposal.catch(() => undefined);
    const context = this.#context;
    this.#context = null;
    this.#disposal = context === null ? NOTHING : this.#disposeContext(context);
    return this.#disposal;
  }

  async #handleInContext(job: object, plan: MethodPlan): Promise<unknown> {
    const resolved = await this.#load(moduleRefOf(plan.host), plan.wrapper);
    return call(job, plan.argumentsFrom(resolved, this.#delivery));
  }

  async #load(moduleRef: ModuleRef, wrapper: ProviderWrapper): Promise<unknown> {
    const context = this.#openContext();
    const preparing = this.#host.preparePayload(context, wrapper, this.#delivery);
    if (preparing !== undefined) await preparing;
    return moduleRef.resolve<unknown>(wrapper.token, context.id, { strict: true });
  }

  #openContext(): RecordedContext {
    if (this.#disposal !== null) {
      throw new Error(
        'The delivery is over and its scope was disposed: nothing can be resolved in it any more.',
      );
    }
    if (this.#openFailure !== null) throw this.#openFailure.error;
    if (this.#context === null) {
      try {
        this.#context = this.#host.openContext(this.#delivery);
      } catch (error) {
        this.#openFailure = { error };
        throw error;
      }
    }
    this.#context.assertUsable();
    return this.#context;
  }

  async #disposeContext(context: RecordedContext): Promise<void> {
    await settledContext(context);
    const { payload } = context.id;
    // REQUEST is in the context, but nobody made it there.
    const made = madeInstances(context).filter(
      ({ instance }) => instance !== this.#delivery && (instance !== payload || payload === undefined),
    );
    forgetContext(context);
    await disposeInstances(made, this.#host.index);
  }
}

function call(job: object, args: readonly unknown[]): Promise<unknown> {
  try {
    const returned = (job as JobInstance).handle(...args);
    return returned instanceof Promise ? returned : Promise.resolve(returned);
  } catch (error) {
    return Promise.reject(error);
  }
}
