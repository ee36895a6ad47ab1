import { type ModuleRef, ContextIdFactory } from '@nestjs/core';
import { isStatic, moduleRefOf } from '../../jobs/scope/index.js';
import { getQueueToken } from '../../module/queue-token.js';
import type { Queue } from '../../queue/index.js';
import { callListener } from '../listener-job.js';
import { QueuedEvent } from '../queued-event.js';
import type { QueuedListener } from '../queued-listener.js';

/** What happens with one event for one listener. Its rejection is `emitAsync()`'s. */
export type DispatchEvent = (name: string, values: readonly unknown[]) => Promise<unknown>;

/** Pushes the listener's job. The queue is looked up when the first event comes, so that none is needed before. */
export function pushesEvents(listener: QueuedListener, moduleRef: ModuleRef): DispatchEvent {
  const { definition, delaySeconds } = listener;
  let queue: Queue | null = null;
  return async (name, values) => {
    if (definition === null) throw new TypeError(`Listener ${listener.id} has no jobs.`);
    const { connection, target } = definition;
    queue ??= moduleRef.get<Queue>(getQueueToken(connection ?? undefined), { strict: false });
    // Nothing is awaited before: values that change after `emit()` are pushed as they were.
    return queue.push(new target(name, ...ownValues(listener, values)), { delaySeconds });
  };
}

/** Values that no parameter takes stay behind, as they do in any call. */
function ownValues({ parameters }: QueuedListener, values: readonly unknown[]): readonly unknown[] {
  return values.slice(0, parameters.filter(({ kind }) => kind === 'value').length);
}

/** Calls the listener in this process: the provider itself, or one made for the event, whose REQUEST its values are. */
export function callsListener(listener: QueuedListener, moduleRef: ModuleRef): DispatchEvent {
  return async (name, values) => {
    const provider = await providerFor(listener, moduleRef, values);
    return callListener(provider, listener, values, new QueuedEvent(name, null));
  };
}

async function providerFor(
  { wrapper, host }: QueuedListener,
  moduleRef: ModuleRef,
  values: readonly unknown[],
): Promise<object> {
  if (isStatic(wrapper)) return (await wrapper.instance) as object;
  // As `@OnEvent` has it.
  const request: unknown = values.length > 1 ? values : values[0];
  const contextId = ContextIdFactory.getByRequest({ payload: request });
  moduleRef.registerRequestByContextId(request, contextId);
  return moduleRefOf(host).resolve<object>(wrapper.token, contextId, { strict: true });
}
