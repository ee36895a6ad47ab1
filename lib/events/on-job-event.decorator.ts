import type { JobDeferred } from './job-deferred.js';
import type { JobFailedPermanently } from './job-failed-permanently.js';
import type { JobMalformed } from './job-malformed.js';
import type { JobReleased } from './job-released.js';
import type { JobSettlementLost } from './job-settlement-lost.js';
import type { JobSettlementUnknown } from './job-settlement-unknown.js';
import type { JobStarted } from './job-started.js';
import type { JobSucceeded } from './job-succeeded.js';

/** Every event that a worker tells. */
export type AnyJobEvent =
  | JobStarted
  | JobSucceeded
  | JobReleased
  | JobDeferred
  | JobFailedPermanently
  | JobSettlementLost
  | JobSettlementUnknown
  | JobMalformed;

/** An event's class as a value. */
// oxlint-disable-next-line typescript/no-explicit-any
export type JobEventClass<E extends AnyJobEvent = AnyJobEvent> = new (...args: any[]) => E;

const LISTENERS = Symbol('kinetis-queue:job-event-listeners');

/** One marked method: which events it wants. */
export interface MarkedListener {
  readonly method: string | symbol;
  readonly events: readonly JobEventClass[];
}

/**
 * Calls the method with each event of these classes, in the scope of the delivery. A listener observes: its error is
 * reported and changes nothing. It is waited for before the scope is disposed, so that one that never ends keeps the
 * delivery's slot.
 *
 * @publicApi
 */
export function OnJobEvent<const C extends readonly JobEventClass[]>(...events: C) {
  // Generic, for a descriptor's type is invariant: a method that takes no event, or is async, is one too.
  return <Method extends (event: InstanceType<C[number]>) => unknown>(
    prototype: object,
    method: string | symbol,
    _descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    const marked = markedListeners(prototype);
    Reflect.defineProperty(prototype, LISTENERS, {
      value: [...marked, { method, events }],
      configurable: true,
    });
  };
}

/** The marked methods of a class, its superclasses' included. */
export function markedListeners(prototype: object): readonly MarkedListener[] {
  return (Reflect.get(prototype, LISTENERS) as readonly MarkedListener[] | undefined) ?? [];
}
