import 'reflect-metadata';
import { JobDeclarationException } from '../contract/index.js';
import { JobDelivery } from '../jobs/index.js';
import { hasRestParameter, parameterNames } from '../jobs/scope/parameter-names.js';
import { QueuedEvent } from './queued-event.js';
import type { EventValueType } from './queued-event-options.js';

const EMITTED = 'design:paramtypes';

/** What one parameter of a listener gets: a value of the event, or what is known of the event itself. */
export type ListenerParameter =
  | { readonly kind: 'event' }
  | {
      readonly kind: 'value';
      /** Its name on the wire: by position, since a minifier may rename parameters. */
      readonly name: string;
      /** What `types` says of it, null where it says nothing. */
      readonly declared: EventValueType;
      /** What TypeScript emitted for it, undefined where it emitted nothing. */
      readonly emitted: unknown;
    };

/**
 * Reads the parameters of a listener's method.
 *
 * @throws JobDeclarationException where there is no such method, or its values cannot be told apart
 */
export function listenerParameters(
  prototype: object,
  method: string,
  types: readonly EventValueType[],
  place: string,
): readonly ListenerParameter[] {
  const listener = methodOf(prototype, method, place);
  if (hasRestParameter(listener)) {
    throw new JobDeclarationException(
      `${place}: expected a parameter for each value of the event, came one that gathers the rest. Name each.`,
    );
  }
  // Those of an overridden method hold for an override that has no decorator: it has to take what that one took.
  const emitted = Reflect.getMetadata(EMITTED, prototype, method) as readonly unknown[] | undefined;
  const count = emitted?.length ?? Math.max(parameterNames(listener).length, listener.length);
  if (types.length > count) {
    throw new JobDeclarationException(
      `${place}: types: expected at most ${count} entries, one for each parameter, came ${types.length}.`,
    );
  }
  let values = 0;
  return Array.from({ length: count }, (_, index): ListenerParameter => {
    const declared = types[index] ?? null;
    const type: unknown = declared ?? emitted?.[index];
    if (type === QueuedEvent) return { kind: 'event' };
    refuseNoValue(
      type,
      index < types.length && types[index] === undefined,
      `${place}, parameter ${index + 1}`,
    );
    values += 1;
    const name = values === 1 ? 'payload' : `payload${values}`;
    return { kind: 'value', name, declared, emitted: emitted?.[index] };
  });
}

function refuseNoValue(type: unknown, isMissing: boolean, where: string): void {
  if (isMissing) {
    throw new JobDeclarationException(
      `${where}: its entry of types is undefined, as in a circular import. Import what it names from a file that does not ` +
        'import this one.',
    );
  }
  if (type === JobDelivery) {
    throw new JobDeclarationException(
      `${where}: expected a value of the event, came JobDelivery. Ask for QueuedEvent and read its delivery, which is null ` +
        'where the listener runs inside emit().',
    );
  }
}

function methodOf(prototype: object, method: string, place: string): Function {
  const listener: unknown = Reflect.get(prototype, method);
  if (typeof listener === 'function') return listener;
  throw new JobDeclarationException(
    `${place}: expected a method, came none of that name. Write it as a method.`,
  );
}
