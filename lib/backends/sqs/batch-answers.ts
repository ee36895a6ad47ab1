import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import type { SettleOutcome } from '../../contract/index.js';
import { translateEntry, unansweredEntry } from './server-errors.js';
import { isEndedDelivery, isRefusal, type ServiceError } from './service-codes.js';

/** What SQS answers to a batch; the request as a whole has succeeded. */
export interface BatchAnswer {
  readonly Successful?: readonly { readonly Id?: string | undefined }[] | undefined;
  readonly Failed?: readonly BatchResultErrorEntry[] | undefined;
}

/** The id that an entry of a batch has: its place. */
export function idOf(place: number): string {
  return String(place);
}

/** One outcome per entry, in order. `actions`: what is asked for each entry, "ack()"; `queue`: its name on SQS. */
export function outcomesOf(
  answer: BatchAnswer,
  actions: readonly string[],
  queue: string,
): readonly SettleOutcome[] {
  const applied = new Set(answer.Successful?.map(({ Id }) => Id));
  const failed = new Map(answer.Failed?.map((entry) => [entry.Id, entry]));
  return actions.map((action, place): SettleOutcome => {
    const id = idOf(place);
    const failure = failed.get(id);
    if (failure !== undefined) return failedEntry(failure, action, queue);
    if (applied.has(id)) return { status: 'applied' };
    return { status: 'unknown', error: unansweredEntry(action, queue) };
  });
}

/**
 * `SenderFault` says that the entry itself was not taken. Of the rest only what was throttled was certainly not applied:
 * of an internal error nobody says when it came.
 */
function failedEntry(
  { Code = 'no code', Message = '', SenderFault }: BatchResultErrorEntry,
  action: string,
  queue: string,
): SettleOutcome {
  const answer: ServiceError = { code: Code, message: Message, httpStatus: SenderFault === true ? 400 : 500 };
  if (isEndedDelivery(answer)) return { status: 'stale' };
  const error = translateEntry(answer, action, queue);
  return { status: isRefusal(answer) ? 'refused' : 'unknown', error };
}
