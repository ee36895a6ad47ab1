import { type ReservedItem, ServerRefused } from '../../contract/index.js';
import { receive } from './receive.js';
import type { SettleLines } from './settle-lines.js';
import type { SqsBackendParts } from './sqs-backend-parts.js';

/** A long poll of the first queue that does not refuse. It is not aborted: see `receive`. */
export async function waitForWork(
  parts: SqsBackendParts,
  lines: SettleLines,
  queues: readonly string[],
  options: { readonly limit: number; readonly waitSeconds: number },
): Promise<readonly ReservedItem[]> {
  const { refusing } = parts;
  let refusal: ServerRefused | null = null;
  for (const queue of refusing.toWaitOn(queues)) {
    try {
      const items = await receive(parts, lines, queue, { ...options, action: 'waitForWork()' });
      refusing.answered(queue);
      refusing.tell(queues);
      return items;
    } catch (error) {
      if (!(error instanceof ServerRefused)) throw error;
      refusing.refused(queue, error);
      refusal ??= error;
    }
  }
  if (refusal !== null) throw refusal;
  return [];
}
