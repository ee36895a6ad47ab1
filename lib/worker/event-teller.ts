import type { QueuedJob } from '../contract/index.js';
import {
  type AnyJobEvent,
  JobDeferred,
  type JobEventClass,
  JobFailedPermanently,
  JobMalformed,
  JobReleased,
  JobSettlementLost,
  JobSettlementUnknown,
  JobStarted,
  JobSucceeded,
} from '../events/index.js';
import type { DeliveryScope, DeliveryScopes } from '../jobs/index.js';
import type { WorkerLog } from './worker-log.js';
import type { JobEventListener } from './worker-options.js';

const EVENTS: readonly JobEventClass[] = [
  JobStarted,
  JobSucceeded,
  JobReleased,
  JobDeferred,
  JobFailedPermanently,
  JobSettlementLost,
  JobSettlementUnknown,
  JobMalformed,
];

/** Tells listeners what happened, one after the other, in the delivery's scope. They watch: none decides anything. */
export class EventTeller {
  readonly #listeners = new Map<JobEventClass, readonly JobEventListener[]>();
  readonly #scopes: DeliveryScopes;
  readonly #log: WorkerLog;

  constructor(listeners: readonly JobEventListener[], scopes: DeliveryScopes, log: WorkerLog) {
    this.#scopes = scopes;
    this.#log = log;
    for (const event of EVENTS) {
      const wanting = listeners.filter((listener) => listener.events.includes(event));
      if (wanting.length > 0) this.#listeners.set(event, wanting);
    }
  }

  /** Whether anyone wants it: an event that nobody wants is not made. */
  wants(event: JobEventClass): boolean {
    return this.#listeners.has(event);
  }

  /** Resolves when every listener has ended. Never rejects. Without a scope only static providers are reached. */
  async tell(event: AnyJobEvent, scope: DeliveryScope | null, job: QueuedJob | null): Promise<void> {
    for (const listener of this.#listeners.get(event.constructor as JobEventClass) ?? []) {
      try {
        const instance =
          scope === null ? await this.#static(listener) : await scope.resolve(listener.provider);
        await Reflect.apply(Reflect.get(instance, listener.method), instance, [event]);
      } catch (error) {
        this.#log.observerFailed(`${listener.provider.name}.${String(listener.method)}`, error, job);
      }
    }
  }

  #static(listener: JobEventListener): object {
    const instance = this.#scopes.staticInstance?.(listener.provider);
    if (instance !== undefined) return instance;
    throw new TypeError(
      `Expected ${listener.provider.name} to be a static provider, came one that is made per delivery: this event has ` +
        'no delivery. Listen for it in a provider of the default scope.',
    );
  }
}
