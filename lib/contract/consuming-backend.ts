import type { QueueBackend } from './queue-backend.js';
import type { ReservedItem } from './reserved-item.js';

/** What a worker asks of a consumer, and what it wants to be told. */
export interface ConsumeOptions {
  /** How many unsettled items the server may send ahead. */
  readonly prefetch: number;
  /** Called for each item that the server pushes; must not throw. */
  readonly onItem: (item: ReservedItem) => void;
  /** Called when the server ended the consumer or its connection; the worker consumes again. */
  readonly onLost: (error: Error) => void;
}

/** A consumer that a backend has opened. */
export interface Consumption {
  /** Stops new items and resolves when none will come any more; those delivered stay valid. */
  stop(): Promise<void>;
}

/** A backend whose server pushes items to a worker that watches one queue. Has the method, or has not. */
export interface ConsumingBackend extends QueueBackend {
  consume(queue: string, options: ConsumeOptions): Promise<Consumption>;
}

export function canConsume(backend: QueueBackend): backend is ConsumingBackend {
  return 'consume' in backend && typeof backend.consume === 'function';
}
