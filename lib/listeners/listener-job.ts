import {
  declaredOptions,
  type JobClass,
  type JobDefinition,
  type JobDelivery,
  keepJobDefinition,
} from '../jobs/index.js';
import type { ListenerParameter } from './listener-parameters.js';
import { planPayload } from './plan-payload.js';
import { QueuedEvent } from './queued-event.js';
import type { QueuedEventOptions } from './queued-event-options.js';

/** A method of a provider, and what its parameters get. */
export interface ListenerMethod {
  readonly method: string;
  readonly parameters: readonly ListenerParameter[];
}

/**
 * The job of one listener. Its class is made here: jobs of different listeners differ in their name, options and arguments,
 * and logs, events and the failed store tell them apart.
 *
 * @throws JobDeclarationException where a parameter's type has no wire form
 */
export function defineListenerJob(
  id: string,
  listener: ListenerMethod,
  options: QueuedEventOptions,
): JobDefinition {
  const target = listenerJobClass(id, listener);
  const definition: JobDefinition = Object.freeze({
    target,
    ...declaredOptions(id, options),
    explicitName: true,
    args: planPayload(id, listener.parameters, options.sensitive ?? false),
    inject: null,
    onFailed: null,
  });
  keepJobDefinition(target, definition);
  return definition;
}

function listenerJobClass(id: string, listener: ListenerMethod): JobClass {
  const names = listener.parameters.flatMap((parameter) =>
    parameter.kind === 'value' ? [parameter.name] : [],
  );
  const target = class {
    constructor(
      readonly event: string,
      ...values: unknown[]
    ) {
      for (const [index, name] of names.entries()) Reflect.set(this, name, values[index]);
    }

    handle(provider: object, delivery: JobDelivery): unknown {
      const values = names.map((name): unknown => Reflect.get(this, name));
      return callListener(provider, listener, values, new QueuedEvent(this.event, delivery));
    }
  };
  Object.defineProperty(target, 'name', { value: id });
  return target;
}

/** Calls the method with the event's values, and the event itself where it asks for that. */
export function callListener(
  provider: object,
  { method, parameters }: ListenerMethod,
  values: readonly unknown[],
  event: QueuedEvent,
): unknown {
  const left = [...values];
  const args = parameters.map((parameter) => (parameter.kind === 'event' ? event : left.shift()));
  return Reflect.apply(Reflect.get(provider, method) as (...args: unknown[]) => unknown, provider, args);
}
