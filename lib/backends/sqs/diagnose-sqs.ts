import { type Finding, ServerRefused } from '../../contract/index.js';
import type { SqsBackendParts } from './sqs-backend-parts.js';

/** Whether the service answers: `connect()` does not ask it, unless a dead letter queue is to be looked up. */
export async function diagnoseSqs(
  { urls, settings: { deadLetterQueue } }: SqsBackendParts,
  [first]: readonly string[],
): Promise<readonly Finding[]> {
  const topic = 'server';
  const asked = first ?? deadLetterQueue;
  if (asked === null) {
    const message = 'not asked: SQS answers for a queue alone, and none was named';
    return [{ topic, level: 'warning', message, mend: 'name one, --queue=mail,default' }];
  }
  try {
    await urls.check(asked, 'diagnose()');
  } catch (error) {
    // A refusal is an answer: what it refuses is met again where the queue is looked at.
    if (!(error instanceof ServerRefused)) throw error;
  }
  return [{ topic, level: 'ok', message: `it answers for queue "${asked}"`, mend: null }];
}
