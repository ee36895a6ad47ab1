import type { ModulesContainer } from '@nestjs/core';
import { QueueConfigurationException } from '../contract/index.js';
import { connectionOfToken } from './queue-token.js';

/** Where Nest keeps the tokens that decorators name: on the class for its constructor and for its properties. */
const PARAMETERS = 'self:paramtypes';
const PROPERTIES = 'self:properties_metadata';

/**
 * Refuses an `@InjectQueue` of a connection that does not exist. Nest would refuse it too, but could not say which ones
 * there are.
 */
export function assertKnownConnections(modules: ModulesContainer, known: readonly string[]): void {
  for (const { providers, controllers, injectables } of modules.values()) {
    for (const wrapper of [...providers.values(), ...controllers.values(), ...injectables.values()]) {
      for (const token of [...namedTokens(wrapper.metatype), ...(wrapper.inject ?? [])]) {
        const connection = connectionOfToken(token);
        if (connection === null || known.includes(connection)) continue;
        throw new QueueConfigurationException(
          `${wrapper.name}: expected the name of a connection, came "${connection}". Known: ` +
            `${known.map((name) => `"${name}"`).join(', ')}. Add it to \`connections\` of KinetisQueueModule.`,
        );
      }
    }
  }
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
