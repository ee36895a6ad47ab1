import type { BackendFactory } from '../../contract/index.js';
import { importSqs } from './import-sqs.js';
import { SqsBackend } from './sqs.backend.js';
import { sqsSettings, type SqsOptions } from './sqs.options.js';

/**
 * Jobs in standard queues of Amazon SQS, reached through `@aws-sdk/client-sqs`. The queues must be there: none is
 * created. SQS may deliver a job twice by itself, and counts each delivery as an attempt.
 *
 * Throws `QueueConfigurationException` for an option that cannot be used; the factory rejects with
 * `QueueUnavailableException` when the SDK is not installed.
 *
 * @publicApi
 */
export function sqs(options: SqsOptions = {}): BackendFactory {
  const settings = sqsSettings(options);
  return async (context) => {
    await importSqs();
    return new SqsBackend(settings, (message) => context.warn(message));
  };
}
