import { JobDeclarationException } from '../contract/index.js';
import { checkQueuedEvent, type EventName } from './check-queued-event.js';
import type { QueuedEventCheck } from './queued-event-check.js';
import type { QueuedEventOptions } from './queued-event-options.js';

/** One mark of a method: the event it listens to, and how. */
export interface QueuedEventMark {
  readonly method: string;
  readonly event: EventName;
  readonly options: QueuedEventOptions;
}

const MARKS = Symbol('kinetis-queue:queued-events');

/**
 * Makes a method of a provider a listener whose work is a job: whoever emits the event only pushes it, and a worker makes
 * the provider and calls the method, once an attempt. The application imports `KinetisQueueListenersModule` beside its
 * `EventEmitterModule`.
 *
 * The event's values are checked as a job's arguments are. An instance of a class travels where the parameter's type is that
 * class, and comes back as one; a parameter of type `QueuedEvent` gets the emitted name.
 *
 * @throws JobDeclarationException where an option cannot work
 * @publicApi
 */
export function OnQueuedEvent<const O extends QueuedEventOptions = QueuedEventOptions>(
  event: EventName,
  options?: O,
) {
  // Generic, for a descriptor's type is invariant.
  // oxlint-disable-next-line typescript/no-explicit-any -- any parameters at all
  return <Method extends (...values: any[]) => unknown>(
    prototype: object & QueuedEventCheck<O, Method>,
    method: string,
    _descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    const isStatic = typeof prototype === 'function';
    const owner = isStatic ? (prototype as Function).name : prototype.constructor.name;
    if (isStatic || typeof method !== 'string') {
      throw new JobDeclarationException(
        `Class ${owner}: @OnQueuedEvent() is on ${isStatic ? 'the static ' : ''}${String(method)}(). A worker calls a method ` +
          'of an instance, by its name. Make it one.',
      );
    }
    checkQueuedEvent(`${owner}.${method}()`, event, options ?? {});
    const mark: QueuedEventMark = { method, event, options: options ?? {} };
    Reflect.defineProperty(prototype, MARKS, { value: [...ownMarks(prototype), mark], configurable: true });
  };
}

/** The marks of a class's methods, its superclasses' included, but for methods that it marks anew. */
export function queuedEventMarks(prototype: object): readonly QueuedEventMark[] {
  const superclass = Reflect.getPrototypeOf(prototype);
  const inherited = superclass === null ? [] : queuedEventMarks(superclass);
  const own = ownMarks(prototype);
  return [...inherited.filter((mark) => own.every(({ method }) => method !== mark.method)), ...own];
}

function ownMarks(prototype: object): readonly QueuedEventMark[] {
  const own: unknown = Reflect.getOwnPropertyDescriptor(prototype, MARKS)?.value;
  return (own as readonly QueuedEventMark[] | undefined) ?? [];
}
