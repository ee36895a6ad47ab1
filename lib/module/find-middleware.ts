import type { Type } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import { describe, QueueConfigurationException } from '../contract/index.js';
import type { JobMiddleware, ProviderRef } from '../jobs/index.js';

/** The providers of the classes that `middleware` of the module lists, in its order, from whichever module has them. */
export function findMiddleware(
  modules: ModulesContainer,
  classes: readonly Type<JobMiddleware>[],
): readonly ProviderRef[] {
  return classes.map((target, index) => {
    const at = `KinetisQueueModule: middleware[${index}]`;
    if (typeof target !== 'function') {
      throw new QueueConfigurationException(
        `${at}: expected a class of a provider, came ${describe(target)}. A circular import leaves a class undefined.`,
      );
    }
    if (typeof Reflect.get(target.prototype as object, 'use') !== 'function') {
      throw new QueueConfigurationException(
        `${at}: expected a class with a method use(delivery, next), came ${target.name} without one.`,
      );
    }
    return providerOf(modules, target, at);
  });
}

function providerOf(modules: ModulesContainer, target: Type<JobMiddleware>, at: string): ProviderRef {
  for (const host of modules.values()) {
    const wrapper = host.providers.get(target);
    if (wrapper !== undefined) return { name: target.name, wrapper, host };
  }
  throw new QueueConfigurationException(
    `${at}: expected ${target.name} to be a provider, but no module of the application lists it. Add it to the providers ` +
      'of the module that has its dependencies.',
  );
}
