import type { ModulesContainer } from '@nestjs/core';
import { markedListeners } from '../events/index.js';
import { prototypeOf } from '../jobs/scope/index.js';
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
