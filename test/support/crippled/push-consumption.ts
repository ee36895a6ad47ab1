import type {
  ConsumeOptions,
  Consumption,
  QueueBackend,
  QueueServerException,
} from '../../../lib/contract/index.js';
import type { Channel, Delivery } from './channel.js';

/** Sends what a queue has to a consumer, never more than the prefetch that is unsettled. */
export function pushConsumption(
  backend: QueueBackend,
  channel: Channel,
  queue: string,
  { prefetch, onItem, onLost }: ConsumeOptions,
): Consumption {
  const unsettled = new Set<unknown>();
  const stop = new AbortController();
  let wake = new AbortController();
  const settled = (delivery: Delivery): void => {
    if (unsettled.delete(delivery)) wake.abort();
  };
  channel.listeners.add(settled);

  const pump = async (): Promise<void> => {
    while (!stop.signal.aborted && !channel.closed) {
      wake = new AbortController();
      const limit = prefetch - unsettled.size;
      const items = limit > 0 ? await backend.reserve([queue], limit) : [];
      for (const item of items) {
        unsettled.add(item.receipt);
        onItem(item);
      }
      const signal = AbortSignal.any([wake.signal, channel.lost]);
      if (limit <= 0) await aborted(signal);
      else if (items.length === 0) await backend.waitForWork([queue], { timeoutMs: 1_000, limit: 1, signal });
    }
  };
  const pumping = pump().finally(() => channel.listeners.delete(settled));
  channel.lost.addEventListener('abort', () => {
    if (!stop.signal.aborted) onLost(channel.lost.reason as QueueServerException);
  });
  return {
    async stop() {
      stop.abort();
      wake.abort();
      await pumping;
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
