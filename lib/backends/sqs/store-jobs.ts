import {
  InvalidQueueArgumentException,
  type NewJob,
  QueueServerException,
  type StoreOutcome,
} from '../../contract/index.js';
import { inParallel } from './in-parallel.js';
import { messageOf, type OutgoingMessage } from './message.js';
import { sendBatch } from './send-batch.js';
import { BATCH_ENTRIES } from './service-limits.js';
import type { SqsBackendParts } from './sqs-backend-parts.js';

/** Batches of one push that are under way together. */
const MAX_IN_FLIGHT = 8;

interface Batch {
  readonly queue: string;
  readonly messages: OutgoingMessage[];
  /** Where each of the messages stands in the push. */
  readonly places: number[];
  bytes: number;
}

/**
 * Sends jobs in batches. What SQS would refuse for its size or name is refused here, and then nothing of the push is
 * sent. After a batch that failed as a whole no further one is begun: the rest is refused for the same reason.
 */
export async function storeJobs(
  parts: SqsBackendParts,
  jobs: readonly NewJob[],
): Promise<readonly StoreOutcome[]> {
  const messages = jobs.map(messageOf);
  const refusal = refusalOf(parts, jobs, messages);
  if (refusal !== null) return jobs.map(() => ({ status: 'refused', error: refusal }));
  const outcomes: StoreOutcome[] = [];
  let failure: QueueServerException | null = null;
  await inParallel(
    batchesOf(jobs, messages, parts.settings.maxMessageBytes),
    MAX_IN_FLIGHT,
    async (batch) => {
      const { queue, places } = batch;
      if (failure !== null) {
        for (const place of places) outcomes[place] = { status: 'refused', error: failure };
        return;
      }
      try {
        const answers = await sendBatch(parts, queue, batch.messages);
        for (const [index, place] of places.entries()) outcomes[place] = answers[index] as StoreOutcome;
      } catch (error) {
        if (!(error instanceof QueueServerException)) throw error;
        const status = error.code === 'QUEUE_OUTCOME_UNKNOWN' ? 'unknown' : 'refused';
        for (const place of places) outcomes[place] = { status, error };
        failure ??= error;
      }
    },
  );
  return outcomes;
}

/** In the order of the push as far as there is one; a batch is of one queue. */
function batchesOf(
  jobs: readonly NewJob[],
  messages: readonly OutgoingMessage[],
  maxBytes: number,
): readonly Batch[] {
  const batches: Batch[] = [];
  const open = new Map<string, Batch>();
  for (const [place, { queue }] of jobs.entries()) {
    const message = messages[place] as OutgoingMessage;
    let batch = open.get(queue);
    if (
      batch === undefined ||
      batch.messages.length === BATCH_ENTRIES ||
      batch.bytes + message.bytes > maxBytes
    ) {
      batch = { queue, messages: [], places: [], bytes: 0 };
      batches.push(batch);
      open.set(queue, batch);
    }
    batch.messages.push(message);
    batch.places.push(place);
    batch.bytes += message.bytes;
  }
  return batches;
}

function refusalOf(
  { settings: { maxMessageBytes }, urls }: SqsBackendParts,
  jobs: readonly NewJob[],
  messages: readonly OutgoingMessage[],
): InvalidQueueArgumentException | null {
  const action =
    jobs.length === 1 ? (): string => 'push()' : (place: number): string => `pushMany()[${place}]`;
  for (const [place, { bytes }] of messages.entries()) {
    if (bytes <= maxMessageBytes) continue;
    return new InvalidQueueArgumentException(
      `${action(place)}: expected a message of at most ${maxMessageBytes} bytes, its attributes counted, came one of ` +
        `${bytes}. Nothing was sent. Store large arguments elsewhere and pass a reference.`,
    );
  }
  try {
    for (const { queue } of jobs) urls.nameOf(queue);
    return null;
  } catch (error) {
    if (error instanceof InvalidQueueArgumentException) return error;
    throw error;
  }
}
