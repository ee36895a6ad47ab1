import type { ModulesContainer } from '@nestjs/core';
import { markedListeners } from '../events/index.js';
import type { JobEventListener } from '../worker/index.js';

/** Every method of a provider or controller that is marked with `@OnJobEvent`, in whichever module. */
export function discoverListeners(modules: ModulesContainer): readonly JobEventListener[] {
  const listeners: JobEventListener[] = [];
  for (const host of modules.values()) {
    for (const wrapper of [...host.providers.values(), ...host.controllers.values()]) {
      if (wrapper.isAlias) continue;
      for (const { method, events } of markedListeners(prototypeOf(wrapper))) {
        listeners.push({ provider: { name: wrapper.name, wrapper, host }, method, events });
      }
    }
  }
  return listeners;
}

/** A class provider's own prototype; for a value or a factory, that of what it gave, where that is known. */
function prototypeOf(wrapper: { metatype: unknown; isNotMetatype: boolean; instance: unknown }): object {
  if (!wrapper.isNotMetatype && typeof wrapper.metatype === 'function') return prototype(wrapper.metatype);
  const { instance } = wrapper;
  return typeof instance === 'object' && instance !== null ? (Reflect.getPrototypeOf(instance) ?? {}) : {};
}

function prototype(target: object): object {
  const found: unknown = Reflect.get(target, 'prototype');
  return typeof found === 'object' && found !== null ? found : {};
}
