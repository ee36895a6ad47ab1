import type { ModulesContainer } from '@nestjs/core';
import { JobDeclarationException } from '../contract/index.js';
import type { JobDefinition } from '../jobs/index.js';
import {
  durabilityWarnings,
  type MethodPlan,
  type NestModule,
  prototypeOf,
  ProviderIndex,
  ProviderPlan,
  type ProviderWrapper,
} from '../jobs/scope/index.js';
import { defineListenerJob } from './listener-job.js';
import { listenerParameters } from './listener-parameters.js';
import { EVENT_SUBSCRIBER } from './event-subscriber.token.js';
import { type QueuedEventMark, queuedEventMarks } from './on-queued-event.decorator.js';
import type { QueuedListener } from './queued-listener.js';

/** The queued listeners of an application, with what a worker needs to run their jobs. */
export interface DiscoveredListeners {
  readonly listeners: readonly QueuedListener[];
  readonly definitions: readonly JobDefinition[];
  readonly plans: readonly MethodPlan[];
  /** For the log: what will work otherwise than it looks. */
  readonly warnings: readonly string[];
}

/** The shortest name of a class that is not suspected to be a minifier's. */
const SHORTEST_CLASS_NAME = 3;

/**
 * Finds every method that is marked with `@OnQueuedEvent`, in whichever module. Call it when all providers were made
 * (`onModuleInit` or later). Throws `JobDeclarationException` for two with one id, one whose class has a minifier's name, and one
 * whose parameters have no wire form.
 */
export function discoverQueuedListeners(modules: ModulesContainer): DiscoveredListeners {
  const places = new Map<string, string>();
  const listeners: QueuedListener[] = [];
  for (const host of modules.values()) {
    for (const wrapper of [...host.providers.values(), ...host.controllers.values()]) {
      if (wrapper.isAlias) continue;
      for (const mark of queuedEventMarks(prototypeOf(wrapper))) {
        const listener = listenerOf(mark, wrapper, host);
        refuseTaken(places, listener);
        listeners.push(listener);
      }
    }
  }
  const plans = listeners.flatMap(({ definition, wrapper, host }) =>
    definition === null ? [] : [new ProviderPlan(definition, wrapper, host)],
  );
  const definitions = plans.map(({ definition }) => definition);
  const roots = plans.map(({ wrapper }) => wrapper);
  return {
    listeners,
    definitions,
    plans,
    warnings: [
      ...unheard(listeners, modules),
      ...definitions.flatMap(({ args }) => args.flatMap(({ warning }) => warning ?? [])),
      ...(roots.length === 0 ? [] : durabilityWarnings(roots, new ProviderIndex(modules))),
    ],
  };
}

/** Nobody would notice otherwise: a listener that is not subscribed only stays silent. */
function unheard(listeners: readonly QueuedListener[], modules: ModulesContainer): readonly string[] {
  if (listeners.length === 0) return [];
  if ([...modules.values()].some(({ providers }) => providers.has(EVENT_SUBSCRIBER))) return [];
  const ids = listeners.map(({ id }) => id).join(', ');
  return [
    `No event of this process reaches the queued listeners ${ids}: import KinetisQueueListenersModule, of the subpath ` +
      './event-emitter, in the application.',
  ];
}

function listenerOf(mark: QueuedEventMark, wrapper: ProviderWrapper, host: NestModule): QueuedListener {
  const { method, event, options } = mark;
  const prototype = prototypeOf(wrapper);
  const id = options.id ?? defaultId(prototype.constructor.name, method);
  const parameters = listenerParameters(prototype, method, options.types ?? [], `Listener ${id}`);
  const definition = options.inline === true ? null : defineListenerJob(id, { method, parameters }, options);
  return {
    id,
    event,
    method,
    parameters,
    delaySeconds: options.delaySeconds ?? 0,
    definition,
    wrapper,
    host,
  };
}

/** A method keeps its name under every minifier: the decorator knows it as text. */
function defaultId(className: string, method: string): string {
  if (className.length >= SHORTEST_CLASS_NAME) return `${className}.${method}`;
  throw new JobDeclarationException(
    `Queued listener "${className}.${method}": a class name this short is usually a minifier's and changes with the next ` +
      "build. Give the listener a name of its own: @OnQueuedEvent(event, { id: '…' }).",
  );
}

function refuseTaken(places: Map<string, string>, { id, method, wrapper, host }: QueuedListener): void {
  const place = `${prototypeOf(wrapper).constructor.name}.${method}() of ${host.name}`;
  const other = places.get(id);
  places.set(id, place);
  if (other === undefined) return;
  throw new JobDeclarationException(
    `Expected each queued listener to have an id of its own; ${other} and ${place} both have "${id}". Give one of them ` +
      "another with @OnQueuedEvent(event, { id: '…' }); a class that two modules provide belongs to one, which exports it.",
  );
}
