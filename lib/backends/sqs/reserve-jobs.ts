import { type ReservedItem, ServerRefused } from '../../contract/index.js';
import { receive } from './receive.js';
import { BATCH_ENTRIES } from './service-limits.js';
import type { SettleLines } from './settle-lines.js';
import type { SqsBackendParts } from './sqs-backend-parts.js';

/** Receives of one sweep that are under way together. */
const MAX_IN_FLIGHT = 10;

/**
 * Probes queues without waiting. One receive brings ten messages at most: a queue that filled the last one is asked by
 * several at once, any other by a single one first, for an empty receive is paid for too.
 */
export class Sweeps {
  private readonly busy = new Set<string>();

  constructor(
    private readonly parts: SqsBackendParts,
    private readonly lines: SettleLines,
  ) {}

  /** In the order of the list. Rejects with a refusal only where no queue answers: one is no outage of the others. */
  async reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    const { refusing } = this.parts;
    const items: ReservedItem[] = [];
    let answered = false;
    let refusal: ServerRefused | null = null;
    for (const queue of refusing.toAsk(queues)) {
      if (items.length >= limit) break;
      try {
        items.push(...(await this.sweep(queue, limit - items.length)));
        refusing.answered(queue);
        answered = true;
      } catch (error) {
        if (error instanceof ServerRefused) {
          refusing.refused(queue, error);
          refusal ??= error;
        } else if (items.length === 0) throw error;
        // What is reserved already must reach the caller; the trouble is met again by the next sweep.
        else break;
      }
    }
    if (answered) refusing.tell(queues);
    else if (refusal !== null) throw refusal;
    return items;
  }

  private async sweep(queue: string, limit: number): Promise<readonly ReservedItem[]> {
    const parts = shares(limit);
    const items: ReservedItem[] = [];
    if (!this.busy.has(queue)) {
      const [first = 0] = parts.splice(0, 1);
      items.push(...(await this.receive(queue, first)));
      if (items.length < first) return items;
    }
    items.push(...(await this.receiveTogether(queue, parts, items.length > 0)));
    if (items.length >= Math.min(limit, BATCH_ENTRIES)) this.busy.add(queue);
    else this.busy.delete(queue);
    return items;
  }

  private async receiveTogether(
    queue: string,
    limits: readonly number[],
    found: boolean,
  ): Promise<readonly ReservedItem[]> {
    const answers = await Promise.allSettled(limits.map((limit) => this.receive(queue, limit)));
    const items = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed !== undefined && items.length === 0 && !found) throw failed.reason;
    return items;
  }

  private receive(queue: string, limit: number): Promise<readonly ReservedItem[]> {
    return receive(this.parts, this.lines, queue, { limit, waitSeconds: 0, action: 'reserve()' });
  }
}

/** So many messages, ten a receive, as far as one sweep goes. */
function shares(limit: number): number[] {
  const receives = Math.min(Math.ceil(limit / BATCH_ENTRIES), MAX_IN_FLIGHT);
  return Array.from({ length: receives }, (_, index) =>
    Math.min(BATCH_ENTRIES, limit - index * BATCH_ENTRIES),
  );
}
