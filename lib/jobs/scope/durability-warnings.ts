import { REQUEST } from '@nestjs/core';
import { dependenciesOf, isStatic, type ProviderWrapper, wrapperName } from './nest-container.js';
import { reachable } from './provider-index.js';

/**
 * A sentence for each durable provider below `roots` that depends on a request-scoped one: it is made once per tenant,
 * with the instance of the delivery that happened to come first. REQUEST is left out: for a durable provider it is the
 * payload of the application's strategy.
 */
export function durabilityWarnings(roots: Iterable<ProviderWrapper>): readonly string[] {
  const warnings = new Set<string>();
  for (const root of roots) {
    for (const wrapper of reachable(root)) {
      if (wrapper.isTransient || !wrapper.isDependencyTreeDurable()) continue;
      for (const dependency of dependenciesOf(wrapper)) {
        if (pinned(dependency)) warnings.add(warning(wrapperName(wrapper), wrapperName(dependency)));
      }
    }
  }
  return [...warnings];
}

function pinned(dependency: ProviderWrapper): boolean {
  return !isStatic(dependency) && dependency.token !== REQUEST && isRequestScoped(dependency);
}

/** A transient provider whose tree is static belongs to the durable one and is no trap. */
function isRequestScoped(wrapper: ProviderWrapper): boolean {
  return !wrapper.isDependencyTreeStatic() && !wrapper.isDependencyTreeDurable();
}

function warning(durable: string, dependency: string): string {
  return (
    `${durable} is durable, but depends on ${dependency}, which is request-scoped: it keeps the instance of its ` +
    `tenant's first delivery, which is disposed when that delivery ends. Make ${dependency} durable too, or ` +
    `${durable} request-scoped.`
  );
}
