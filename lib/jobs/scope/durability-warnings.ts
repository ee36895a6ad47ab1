import { REQUEST } from '@nestjs/core';
import { declaredDependencies } from './declared-dependencies.js';
import { isStatic, type ProviderWrapper, wrapperName } from './nest-container.js';
import type { ProviderIndex } from './provider-index.js';

/**
 * A sentence for each durable provider below `roots` that depends on a request-scoped one: it is made once per tenant,
 * with the instance of the delivery that happened to come first. REQUEST is left out: for a durable provider it is the
 * payload of the application's strategy.
 */
export function durabilityWarnings(
  roots: Iterable<ProviderWrapper>,
  index: ProviderIndex,
): readonly string[] {
  const warnings = new Set<string>();
  const seen = new Set(roots);
  for (const wrapper of seen) {
    const isDurable = !wrapper.isTransient && wrapper.isDependencyTreeDurable();
    for (const dependency of declaredDependencies(wrapper, index)) {
      if (!isStatic(dependency)) seen.add(dependency);
      if (isDurable && pinned(dependency)) {
        warnings.add(warning(wrapperName(wrapper), wrapperName(dependency)));
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
