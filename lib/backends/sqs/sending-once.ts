import type { GetQueueUrlCommand } from '@aws-sdk/client-sqs';
import { RequestFailed } from './request-failed.js';

/** What is known of a request that was handed to the SDK. */
export interface Attempt {
  /** Its bytes were handed to the HTTP client. */
  sent: boolean;
}

/**
 * Keeps the SDK from sending a command again, whatever its client is set to: a batch of messages whose answer was lost
 * would be stored twice, a change of visibility could reach the delivery of another worker. The error is put beyond what
 * the SDK's retries look at, closest to the wire.
 */
export function sendingOnce(
  { middlewareStack }: Pick<GetQueueUrlCommand, 'middlewareStack'>,
  attempt: Attempt,
): void {
  middlewareStack.add(
    (next) => async (args) => {
      attempt.sent = true;
      try {
        return await next(args);
      } catch (error) {
        throw new RequestFailed(true, error);
      }
    },
    { step: 'deserialize', priority: 'high', name: 'kinetisQueueSendingOnce' },
  );
}
