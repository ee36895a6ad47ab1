import type { StoreOutcome } from '../../contract/index.js';
import { idOf, outcomesOf } from './batch-answers.js';
import { entryOf, type OutgoingMessage } from './message.js';
import type { SqsBackendParts } from './sqs-backend-parts.js';

/** How often a batch is sent again that the service did not have the time for: none of it was stored then. */
const REPEATS = 3;

/**
 * Sends one batch; answers for each message. Rejects with a `QueueServerException` when the request failed as a whole:
 * with `OutcomeUnknown` all of it may be stored, else none is.
 */
export async function sendBatch(
  { wire, urls }: Pick<SqsBackendParts, 'wire' | 'urls'>,
  queue: string,
  messages: readonly OutgoingMessage[],
  action = 'push()',
): Promise<readonly StoreOutcome[]> {
  const Entries = messages.map((message, place) => entryOf(message, idOf(place)));
  const answer = await urls.asking(queue, action, (url) =>
    wire.send('SendMessageBatch', { QueueUrl: url, Entries }, { repeats: REPEATS }),
  );
  const actions = messages.map(() => action);
  return outcomesOf(answer, actions, urls.nameOf(queue)).map((outcome) => {
    if (outcome.status === 'stale')
      throw new TypeError('A message that is sent has no receipt that could end.');
    return outcome;
  });
}
