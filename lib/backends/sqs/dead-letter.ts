import { type Failure, QueueServerException, type SettleOutcome } from '../../contract/index.js';
import { deadLetterCopy } from './dead-letter-copy.js';
import { sendBatch } from './send-batch.js';
import type { SqsBackendParts } from './sqs-backend-parts.js';
import type { SqsReceipt } from './sqs-receipt.js';

/**
 * Sends a copy of a job that is given up on to the dead-letter queue. Until the copy is confirmed the job itself stays as
 * it is.
 */
export async function sendDeadLetter(
  parts: SqsBackendParts,
  deadLetterQueue: string,
  receipt: SqsReceipt,
  failure: Failure,
): Promise<SettleOutcome> {
  const copy = deadLetterCopy(receipt, failure, parts.settings.maxMessageBytes);
  try {
    const [outcome] = await sendBatch(parts, deadLetterQueue, [copy], 'fail()');
    if (outcome === undefined || outcome.status === 'duplicate') throw new TypeError('Expected one outcome.');
    return outcome;
  } catch (error) {
    if (!(error instanceof QueueServerException)) throw error;
    return { status: error.code === 'QUEUE_SERVER_REFUSED' ? 'refused' : 'unknown', error };
  }
}
