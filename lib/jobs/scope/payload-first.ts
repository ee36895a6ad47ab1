import { type ModuleRef, REQUEST } from '@nestjs/core';
import type { JobDelivery } from '../job-delivery.js';
import { dependenciesOf, moduleRefOf, type ProviderWrapper } from './nest-container.js';
import { reachable } from './provider-index.js';
import type { RecordedContext } from './recorded-context.js';

/** Whether this Nest gives durable providers the strategy's payload as REQUEST by itself, as later 11.x and 12 do. */
export function handsOutPayloads(moduleRef: ModuleRef): boolean {
  const injector: unknown = Reflect.get(moduleRef, 'injector');
  return typeof injector === 'object' && injector !== null && 'shouldInjectDurablePayload' in injector;
}

/**
 * For a Nest that knows one REQUEST per context: makes the durable providers that ask for it first, while that is the
 * payload, so that the delivery of whichever job came first is not theirs for good.
 */
export class PayloadFirst {
  readonly #moduleRef: ModuleRef;
  readonly #durables = new WeakMap<ProviderWrapper, readonly ProviderWrapper[]>();

  constructor(moduleRef: ModuleRef) {
    this.#moduleRef = moduleRef;
  }

  /** Undefined where there is nothing to make. */
  prepare(
    context: RecordedContext,
    wrapper: ProviderWrapper,
    delivery: JobDelivery,
  ): Promise<void> | undefined {
    const { payload } = context.id;
    if (payload === undefined) return undefined;
    const durables = this.#durablesOverRequest(wrapper);
    return durables.length === 0 ? undefined : this.#make(durables, context, payload, delivery);
  }

  async #make(
    durables: readonly ProviderWrapper[],
    context: RecordedContext,
    payload: unknown,
    delivery: JobDelivery,
  ): Promise<void> {
    this.#moduleRef.registerRequestByContextId(payload, context.id);
    try {
      for (const { host, token } of durables) {
        if (host !== undefined) await moduleRefOf(host).resolve(token, context.id, { strict: true });
      }
    } finally {
      this.#moduleRef.registerRequestByContextId(delivery, context.id);
    }
  }

  #durablesOverRequest(root: ProviderWrapper): readonly ProviderWrapper[] {
    let durables = this.#durables.get(root);
    if (durables === undefined) {
      durables = [...reachable(root)].filter(asksForRequest);
      this.#durables.set(root, durables);
    }
    return durables;
  }
}

function asksForRequest(wrapper: ProviderWrapper): boolean {
  return (
    !wrapper.isTransient &&
    wrapper.isDependencyTreeDurable() &&
    dependenciesOf(wrapper).some((dependency) => dependency.token === REQUEST)
  );
}
