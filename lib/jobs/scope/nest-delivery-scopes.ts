import { ContextIdFactory, type ModuleRef, type ModulesContainer } from '@nestjs/core';
import { UnresolvableJobParameterException } from '../../contract/index.js';
import type { DeliveryScope, DeliveryScopes, ProviderRef } from '../delivery-scope.js';
import type { JobDefinition } from '../job-definition.js';
import type { JobDelivery } from '../job-delivery.js';
import { FAILED, HANDLE, type JobMethod } from './job-method.js';
import type { MethodPlan } from './method-plan.js';
import { isStatic, type ProviderWrapper } from './nest-container.js';
import { NestDeliveryScope, type ScopeHost } from './nest-delivery-scope.js';
import { handsOutPayloads, PayloadFirst } from './payload-first.js';
import { ProviderIndex } from './provider-index.js';
import { RecordedContext } from './recorded-context.js';

/** Scopes of deliveries over one Nest application. */
export class NestDeliveryScopes implements DeliveryScopes {
  readonly #plans: ReadonlyMap<JobDefinition['target'], MethodPlan>;
  readonly #failedPlans: ReadonlyMap<JobDefinition['target'], MethodPlan>;
  readonly #host: ScopeHost;

  /** `moduleRef` is of any module of the application; `plans` are those of its jobs and of its queued listeners. */
  constructor(modules: ModulesContainer, moduleRef: ModuleRef, plans: Iterable<MethodPlan>) {
    const all = [...plans];
    this.#plans = plansOf(all, HANDLE);
    this.#failedPlans = plansOf(all, FAILED);
    this.#host = new ApplicationHost(modules, moduleRef);
  }

  open(definition: JobDefinition | null, delivery: JobDelivery): DeliveryScope {
    const plan = definition === null ? null : this.#plans.get(definition.target);
    const failedPlan = definition === null ? undefined : this.#failedPlans.get(definition.target);
    return new NestDeliveryScope(this.#host, plan ?? notListed(delivery.name), delivery, failedPlan);
  }

  staticInstance(provider: ProviderRef): object | undefined {
    const wrapper = provider.wrapper as ProviderWrapper;
    return isStatic(wrapper) ? (wrapper.instance as object) : undefined;
  }
}

function plansOf(
  plans: readonly MethodPlan[],
  method: JobMethod,
): ReadonlyMap<JobDefinition['target'], MethodPlan> {
  return new Map(
    plans.filter((plan) => plan.method === method).map((plan) => [plan.definition.target, plan]),
  );
}

class ApplicationHost implements ScopeHost {
  readonly index: ProviderIndex;
  readonly #moduleRef: ModuleRef;
  readonly #payloads: PayloadFirst | null;
  readonly #contextKey = requestContextKey();

  constructor(modules: ModulesContainer, moduleRef: ModuleRef) {
    this.index = new ProviderIndex(modules);
    this.#moduleRef = moduleRef;
    this.#payloads = handsOutPayloads(moduleRef) ? null : new PayloadFirst(moduleRef);
  }

  openContext(delivery: JobDelivery): RecordedContext {
    const context = new RecordedContext(ContextIdFactory.getByRequest(delivery), this.index);
    this.#moduleRef.registerRequestByContextId(delivery, context.id);
    // As Nest does for HTTP: `getByRequest(delivery)` in a handler finds this context again.
    if (this.#contextKey !== null) Object.defineProperty(delivery, this.#contextKey, { value: context.id });
    return context;
  }

  preparePayload(
    context: RecordedContext,
    wrapper: ProviderWrapper,
    delivery: JobDelivery,
  ): Promise<void> | undefined {
    return this.#payloads?.prepare(context, wrapper, delivery);
  }
}

function notListed(name: string): Error {
  return new UnresolvableJobParameterException(
    `Expected job "${name}" to be listed in this application; its handle() has no module to take providers from. ` +
      'List its class with provideJobs(...) among the providers of the module that has them.',
  );
}

/** The key under which Nest looks for a request's context. It is not exported, but the first that a look-up reads. */
function requestContextKey(): symbol | null {
  let asked: string | symbol | null = null;
  const probe = new Proxy(
    {},
    {
      get(_, key) {
        asked ??= key;
        return { id: 0 };
      },
    },
  );
  ContextIdFactory.getByRequest(probe);
  return typeof asked === 'symbol' ? asked : null;
}
