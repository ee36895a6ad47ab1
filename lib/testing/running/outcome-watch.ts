import {
  type AnyJobEvent,
  JobDeferred,
  type JobEvent,
  JobFailedPermanently,
  JobMalformed,
  JobReleased,
  JobSettlementLost,
  JobSettlementUnknown,
  JobSucceeded,
} from '../../events/index.js';
import type { DeliveryScope, DeliveryScopes, ProviderRef } from '../../jobs/index.js';
import type { JobEventListener } from '../../worker/index.js';
import type { JobOutcome } from './job-outcome.js';

/** Hears from a worker what becomes of its deliveries, like a provider's `@OnJobEvent` method, without being one. */
export class OutcomeWatch {
  readonly #ref: ProviderRef = { name: 'OutcomeWatch', wrapper: null, host: null };
  #told: AnyJobEvent | null = null;

  readonly listener: JobEventListener = {
    provider: this.#ref,
    method: 'hear',
    events: [
      JobSucceeded,
      JobReleased,
      JobDeferred,
      JobFailedPermanently,
      JobSettlementLost,
      JobSettlementUnknown,
      JobMalformed,
    ],
  };

  hear(event: AnyJobEvent): void {
    this.#told = event;
  }

  /** The scopes of the application, in which this is a provider too. */
  within(scopes: DeliveryScopes): DeliveryScopes {
    return {
      open: (definition, delivery) => this.#withinScope(scopes.open(definition, delivery)),
      staticInstance: (provider) => (provider === this.#ref ? this : scopes.staticInstance?.(provider)),
    };
  }

  /** What became of the last delivery. Throws what kept it from being settled. */
  outcome(): JobOutcome {
    const event = this.#told;
    this.#told = null;
    if (event instanceof JobSucceeded) return { ...delivered(event), outcome: 'acked' };
    if (event instanceof JobReleased) return { ...delivered(event), outcome: 'released', ...returned(event) };
    if (event instanceof JobDeferred) return { ...delivered(event), outcome: 'deferred', ...returned(event) };
    if (event instanceof JobFailedPermanently) {
      const { cause, error } = event;
      return { ...delivered(event), outcome: 'failed', cause, error };
    }
    if (event instanceof JobSettlementLost) throw event.stale;
    if (event instanceof JobSettlementUnknown) throw event.failure;
    if (event instanceof JobMalformed) throw event.error;
    throw new TypeError('A delivery ended, and its worker told nobody how.');
  }

  #withinScope(scope: DeliveryScope): DeliveryScope {
    return {
      handle: (job) => scope.handle(job),
      failed: async (job, error) => scope.failed?.(job, error),
      resolve: async (provider) => (provider === this.#ref ? this : scope.resolve(provider)),
      dispose: () => scope.dispose(),
    };
  }
}

function delivered(event: JobEvent) {
  const { id, queue, connection, attempts } = event;
  return { job: event.class, id, queue, connection, attempts };
}

function returned({ delaySeconds, error }: JobReleased | JobDeferred) {
  return { delaySeconds, error };
}
