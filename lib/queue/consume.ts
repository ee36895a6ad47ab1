import {
  assertLimit,
  assertQueueName,
  type ConsumingBackend,
  type Consumption,
  type ReservedItem,
} from '../contract/index.js';
import type { Receiver, ReserveAnswer } from './receiver.js';

/** How deliveries are taken that a server sends. */
export interface ConsumeDeliveriesOptions {
  /** How many unsettled deliveries the server may send ahead. */
  readonly prefetch: number;
  /**
   * Takes one answer and returns at once. What is no job was settled before; it keeps no place of the prefetch.
   * `arrivedAt` is when the server's delivery came, by `performance.now()`.
   */
  readonly take: (answer: ReserveAnswer, arrivedAt: number) => void;
  /**
   * Called at most once: the consumer ended by itself. A `QueueServerException` says that its server or connection did;
   * any other error is a defect, as where a reserve throws it. Deliveries whose `lost` did not abort can still be
   * settled.
   */
  readonly ended: (error: Error) => void;
}

/** Opens a consumer and decodes what comes, in order; an answer is handed on when those before it were. */
export async function consumeDeliveries(
  backend: ConsumingBackend,
  receiver: Receiver,
  queue: string,
  { prefetch, take, ended }: ConsumeDeliveriesOptions,
): Promise<Consumption> {
  assertQueueName(queue, 'consume(): queue');
  assertLimit(prefetch, 'consume(): prefetch');
  let over = false;
  const end = (error: Error): void => {
    if (over) return;
    over = true;
    ended(error);
  };
  let before: Promise<void> = Promise.resolve();
  const accept = async (item: ReservedItem, arrivedAt: number): Promise<void> => {
    for (const answer of await receiver.accept([item])) take(answer, arrivedAt);
  };
  const consumption = await backend.consume(queue, {
    prefetch,
    onItem: (item) => {
      const arrivedAt = performance.now();
      before = before.then(() => accept(item, arrivedAt)).catch((error: unknown) => end(asError(error)));
    },
    onLost: end,
  });
  return {
    async stop() {
      await consumption.stop();
      await before;
      over = true;
    },
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
