import { QueueUnavailableException } from '../../contract/index.js';

export type SqsSdk = Pick<
  typeof import('@aws-sdk/client-sqs'),
  | 'SQSClient'
  | 'GetQueueUrlCommand'
  | 'GetQueueAttributesCommand'
  | 'SendMessageBatchCommand'
  | 'ReceiveMessageCommand'
  | 'DeleteMessageBatchCommand'
  | 'ChangeMessageVisibilityBatchCommand'
>;

/** Loads the SDK. Throws `QueueUnavailableException` when it is not installed. */
export async function importSqs(): Promise<SqsSdk> {
  try {
    return await import('@aws-sdk/client-sqs');
  } catch (error) {
    throw new QueueUnavailableException(
      'sqs(): expected @aws-sdk/client-sqs 3; it cannot be loaded. Install it: npm install @aws-sdk/client-sqs@3',
      { cause: error },
    );
  }
}
