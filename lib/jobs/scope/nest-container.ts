import type { ContextId, DiscoveryService, ModulesContainer } from '@nestjs/core';
import { ModuleRef } from '@nestjs/core';

/** Nest's record of one provider. Its class is not exported, so that its type is taken from where one is handed out. */
export type ProviderWrapper = ReturnType<DiscoveryService['getProviders']>[number];

/** Nest's record of one module. */
export type NestModule = ModulesContainer extends Map<string, infer Module> ? Module : never;

/** What Nest keeps for one context: the instance, or how its making stands. */
export interface InstanceHost {
  readonly instance: unknown;
  readonly isResolved?: boolean;
  readonly isPending?: boolean;
  /** Resolves, never rejects, when the instance was made or its making failed. */
  readonly donePromise?: Promise<unknown>;
}

/**
 * The hosts by context. Read instead of `getInstanceByContextId`, which makes a placeholder where there is none. Nest
 * holds contexts weakly in both collections, from 11.0 on.
 */
export function hostsByContext(wrapper: ProviderWrapper): WeakMap<ContextId, InstanceHost> | undefined {
  const values: unknown = Reflect.get(wrapper, 'values');
  return values instanceof WeakMap ? values : undefined;
}

/** The hosts of a transient provider, which has one for each consumer. */
export function transientHostsByContext(
  wrapper: ProviderWrapper,
  consumer: ProviderWrapper,
): WeakMap<ContextId, InstanceHost> | undefined {
  const collections: unknown = Reflect.get(wrapper, 'transientMap');
  const hosts: unknown = collections instanceof Map ? collections.get(consumer.id) : undefined;
  return hosts instanceof WeakMap ? hosts : undefined;
}

/** One instance for the whole application: nothing below it is request-scoped, durable or made per consumer. */
export function isStatic(wrapper: ProviderWrapper): boolean {
  return !wrapper.isTransient && wrapper.isDependencyTreeStatic();
}

/** Providers that a provider gets through its constructor, its factory or its properties. */
export function dependenciesOf(wrapper: ProviderWrapper): readonly ProviderWrapper[] {
  const parameters = wrapper.getCtorMetadata() ?? [];
  const properties = wrapper.getPropertiesMetadata() ?? [];
  // The list of parameters has holes where an optional provider is missing.
  return [...parameters, ...properties.map((property) => property.wrapper)].filter(Boolean);
}

/** The `ModuleRef` that sees what this module sees. */
export function moduleRefOf(module: NestModule): ModuleRef {
  const ref: unknown = module.providers.get(ModuleRef)?.instance;
  if (ref instanceof ModuleRef) return ref;
  throw new Error(`Expected module ${module.name} to have a ModuleRef; it has none.`);
}

export function wrapperName(wrapper: ProviderWrapper): string {
  const name: unknown = wrapper.name ?? wrapper.token;
  return typeof name === 'function' ? name.name : String(name);
}

/** A class provider's own prototype; for a value or a factory, that of what it gave, where that is known. */
export function prototypeOf(wrapper: ProviderWrapper): object {
  const { instance, isNotMetatype, metatype } = wrapper;
  const found: unknown =
    !isNotMetatype && typeof metatype === 'function'
      ? Reflect.get(metatype, 'prototype')
      : typeof instance === 'object' && instance !== null && Reflect.getPrototypeOf(instance);
  return typeof found === 'object' && found !== null ? found : {};
}
