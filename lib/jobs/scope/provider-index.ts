import type { InjectionToken } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import { dependenciesOf, isStatic, type ProviderWrapper } from './nest-container.js';

/** Every provider of an application by token, which is all that the injector tells a context. */
export class ProviderIndex {
  readonly #modules: ModulesContainer;
  #byToken = new Map<InjectionToken, ProviderWrapper[]>();
  #indexedModules = 0;
  /** How many per-delivery providers one can reach, itself included. */
  readonly #reach = new WeakMap<ProviderWrapper, number>();

  constructor(modules: ModulesContainer) {
    this.#modules = modules;
  }

  /** All providers of this token, in whichever module. */
  find(token: InjectionToken): readonly ProviderWrapper[] {
    // Modules can be loaded while the application runs.
    if (this.#indexedModules !== this.#modules.size || !this.#byToken.has(token)) this.#build();
    return this.#byToken.get(token) ?? [];
  }

  isTransient(token: InjectionToken): boolean {
    const wrappers = this.find(token);
    return wrappers.length > 0 && wrappers.every((wrapper) => wrapper.isTransient);
  }

  /**
   * A number that is higher for a dependant than for what it depends on, also across cycles: what a dependant reaches
   * includes all that its dependency reaches, and the dependant itself.
   */
  rank(wrapper: ProviderWrapper): number {
    let rank = this.#reach.get(wrapper);
    if (rank === undefined) {
      rank = reachable(wrapper).size;
      this.#reach.set(wrapper, rank);
    }
    return rank;
  }

  #build(): void {
    const byToken = new Map<InjectionToken, ProviderWrapper[]>();
    for (const module of this.#modules.values()) {
      for (const collection of [module.providers, module.injectables, module.controllers]) {
        for (const wrapper of collection.values()) {
          const known = byToken.get(wrapper.token);
          if (known === undefined) byToken.set(wrapper.token, [wrapper]);
          else known.push(wrapper);
        }
      }
    }
    this.#byToken = byToken;
    this.#indexedModules = this.#modules.size;
  }
}

/** A provider and all below it that are not static; nothing below a static one is made for a delivery. */
export function reachable(root: ProviderWrapper): ReadonlySet<ProviderWrapper> {
  const seen = new Set([root]);
  for (const wrapper of seen) {
    for (const dependency of dependenciesOf(wrapper)) {
      if (!isStatic(dependency)) seen.add(dependency);
    }
  }
  return seen;
}
