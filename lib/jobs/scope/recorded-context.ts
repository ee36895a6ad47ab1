import type { InjectionToken } from '@nestjs/common';
import type { ContextId, HostComponentInfo } from '@nestjs/core';
import type { ProviderWrapper } from './nest-container.js';
import type { ProviderIndex } from './provider-index.js';

/**
 * A context that remembers which providers the injector asked it for: all that it makes for a context, it asks
 * `getParent` for first.
 */
export class RecordedContext {
  readonly id: ContextId;
  readonly #index: ProviderIndex;
  readonly #strategy: ((component: HostComponentInfo) => ContextId) | undefined;
  readonly #durable = new Map<InjectionToken, ContextId>();
  readonly #others = new Map<InjectionToken, ContextId>();
  #failure: { readonly error: unknown } | null = null;

  constructor(id: ContextId, index: ProviderIndex) {
    this.id = id;
    this.#index = index;
    this.#strategy = id.getParent;
    id.getParent = (component) => this.#contextOf(component);
  }

  /** Throws what the application's strategy threw in this context, if it did. */
  assertUsable(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Providers whose instances live in this context, in the order in which they were asked for. */
  ownProviders(): readonly ProviderWrapper[] {
    const own: ProviderWrapper[] = [];
    for (const [token, context] of this.#others) {
      if (context === this.id) own.push(...this.#index.find(token).filter((each) => !isDurable(each)));
    }
    for (const [token, context] of this.#durable) {
      if (context === this.id) own.push(...this.#index.find(token).filter(isDurable));
    }
    return own;
  }

  /** The other context that holds this provider's instance, null where that is this one. */
  parentOf(wrapper: ProviderWrapper): ContextId | null {
    const context = (isDurable(wrapper) ? this.#durable : this.#others).get(wrapper.token);
    return context === undefined || context === this.id ? null : context;
  }

  /**
   * One answer for each provider, kept: when the strategy throws half-way, the injector's own clearing up asks again,
   * and must meet the same contexts or it leaves a tenant with an instance that is pending for ever.
   */
  #contextOf({ token, isTreeDurable: saidDurable }: HostComponentInfo): ContextId {
    // Nest 11 counts a transient provider over a durable one as durable, and would share it between deliveries.
    const isTreeDurable = saidDurable && !this.#index.isTransient(token);
    const answers = isTreeDurable ? this.#durable : this.#others;
    const known = answers.get(token);
    if (known !== undefined) return known;
    const context = this.#ask({ token, isTreeDurable });
    answers.set(token, context);
    return context;
  }

  #ask(component: HostComponentInfo): ContextId {
    if (this.#strategy === undefined || this.#failure !== null) return this.id;
    try {
      return this.#strategy.call(this.id, component) ?? this.id;
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }
}

function isDurable(wrapper: ProviderWrapper): boolean {
  return !wrapper.isTransient && wrapper.isDependencyTreeDurable();
}
