import type { Attributes } from '@opentelemetry/api';

/** The scope of tracer and meter. */
export const SCOPE_NAME = '@kinetis/nestjs-queue';

/**
 * Names of the messaging conventions, https://opentelemetry.io/docs/specs/semconv/messaging/, which are still in
 * development: written here, so that no release of a package of names changes what is recorded.
 */
export const MESSAGING_SYSTEM = 'messaging.system';
export const DESTINATION_NAME = 'messaging.destination.name';
export const OPERATION_NAME = 'messaging.operation.name';
export const OPERATION_TYPE = 'messaging.operation.type';
export const MESSAGE_ID = 'messaging.message.id';
export const BATCH_MESSAGE_COUNT = 'messaging.batch.message_count';
export const ERROR_TYPE = 'error.type';

/** What the conventions have no name for. */
export const CONNECTION = 'kinetis_queue.connection';
export const JOB_NAME = 'kinetis_queue.job.name';
export const JOB_ATTEMPT = 'kinetis_queue.job.attempt';
export const OUTCOME = 'kinetis_queue.outcome';
export const FAILURE_CAUSE = 'kinetis_queue.failure.cause';
export const DISPOSITION = 'kinetis_queue.disposition';

/**
 * This package, whatever the backend: a queue has one name and one meaning on all of them. The client of a broker has its
 * own instrumentation, with its own system.
 */
export const SYSTEM = 'kinetis_queue';

/** Of spans and of metrics. A push of many has a queue only where all its jobs go to one. */
export function operationAttributes(
  operation: 'push' | 'process',
  connection: string,
  queue: string | null,
): Attributes {
  return {
    [MESSAGING_SYSTEM]: SYSTEM,
    [OPERATION_NAME]: operation,
    [OPERATION_TYPE]: operation === 'push' ? 'send' : 'process',
    [CONNECTION]: connection,
    ...(queue === null ? {} : { [DESTINATION_NAME]: queue }),
  };
}
