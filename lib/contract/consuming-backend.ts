import type { QueueBackend } from './queue-backend.js';
import type { ReservedItem } from './reserved-item.js';

/** What a worker asks of a consumer, and what it wants to be told. */
export interface ConsumeOptions {
  /** How many unsettled items the server may send ahead. */
  readonly prefetch: number;
  /** Called for each item that the server sends, in order; must not throw. */
  readonly onItem: (item: ReservedItem) => void;
  /** Called at most once, when the server ended the consumer or its connection: no item comes any more. */
  readonly onLost: (error: Error) => void;
}

/** A consumer that a backend has opened. */
export interface Consumption {
  /**
   * Stops new items and resolves when none will come any more; those delivered stay valid and can be settled. Resolves
   * too when the consumer was lost before.
   */
  stop(): Promise<void>;
}

/** A backend whose server sends items to a worker that watches one queue. Declared by `capabilities.pushDelivery`. */
export interface ConsumingBackend extends QueueBackend {
  /** Throws a `QueueServerException` when the consumer could not be opened. */
  consume(queue: string, options: ConsumeOptions): Promise<Consumption>;
}

export function canConsume(backend: QueueBackend): backend is ConsumingBackend {
  return backend.capabilities.pushDelivery;
}
