import type { JobDelivery } from '../jobs/index.js';

/**
 * What a queued listener can ask for beside the event's values: a parameter of this type gets it, wherever it stands.
 *
 * @publicApi
 */
export class QueuedEvent {
  constructor(
    /** The name that was emitted; with a wildcard not the one that the listener names. */
    readonly name: string,
    /** The delivery that a worker serves; null where the listener runs inside `emit()`. */
    readonly delivery: JobDelivery | null,
  ) {}
}
