import type { QueueUrls } from './queue-urls.js';
import type { RefusingQueues } from './refusing-queues.js';
import type { SqsSettings } from './sqs.options.js';
import type { Wire } from './wire.js';

/** What the parts of the backend share. */
export interface SqsBackendParts {
  readonly settings: SqsSettings;
  readonly wire: Wire;
  readonly urls: QueueUrls;
  readonly refusing: RefusingQueues;
  /** Milliseconds of a clock that is never set back. */
  now(): number;
}
