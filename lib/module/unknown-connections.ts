import { type Provider, Scope } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import { QueueConfigurationException } from '../contract/index.js';
import { meaningOf, unknownTokens } from './queue-token.js';

/** Where Nest keeps the tokens that decorators name: on the class for its constructor and for its properties. */
const PARAMETERS = 'self:paramtypes';
const PROPERTIES = 'self:properties_metadata';

/** Refuses an `@InjectQueue` of a connection that does not exist, wherever in the application. */
export function assertKnownConnections(modules: ModulesContainer, known: readonly string[]): void {
  for (const { providers, controllers, injectables } of modules.values()) {
    for (const wrapper of [...providers.values(), ...controllers.values(), ...injectables.values()]) {
      const target = wrapper.isNotMetatype ? null : wrapper.metatype;
      for (const token of [...namedTokens(target), ...(wrapper.inject ?? [])]) {
        const meaning = meaningOf(token);
        if (meaning === null || known.includes(meaning.connection)) continue;
        throw unknownConnection(meaning.connection, known, wrapper.name);
      }
    }
  }
}

/**
 * Answers for connections that do not exist. Whatever asks for one may be made before `assertKnownConnections` ran; it
 * then gets the same error, and not Nest's, which could not say which connections there are.
 */
export function unknownConnectionProviders(known: readonly string[]): Provider[] {
  return unknownTokens(known).map(([token, { connection }]) => ({
    provide: token,
    scope: Scope.TRANSIENT,
    useFactory: () => {
      throw unknownConnection(connection, known, '@InjectQueue');
    },
  }));
}

function unknownConnection(connection: string, known: readonly string[], where: string): Error {
  const names = known.map((name) => `"${name}"`).join(', ');
  return new QueueConfigurationException(
    `${where}: expected the name of a connection, came "${connection}". Known: ${names}. Add it to \`connections\` of ` +
      'KinetisQueueModule.',
  );
}

function namedTokens(target: unknown): unknown[] {
  if (typeof target !== 'function') return [];
  const parameters = metadata<{ param: unknown }>(PARAMETERS, target).map(({ param }) => param);
  const properties = metadata<{ type: unknown }>(PROPERTIES, target).map(({ type }) => type);
  return [...parameters, ...properties];
}

function metadata<Entry>(key: string, target: object): readonly Entry[] {
  const found: unknown = Reflect.getMetadata(key, target);
  return Array.isArray(found) ? found : [];
}
