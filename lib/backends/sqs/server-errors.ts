import {
  ConnectionFailed,
  OutcomeUnknown,
  QueueConfigurationException,
  QueueException,
  ServerRefused,
} from '../../contract/index.js';
import { RequestFailed } from './request-failed.js';
import { sdkCause } from './sdk-cause.js';
import {
  isForbidden,
  isMissingQueue,
  isRefusal,
  type ServiceError,
  serviceErrorOf,
} from './service-codes.js';

/** The connection was never made: names, addresses, certificates. */
const UNREACHED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT_|ERR_TLS_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/;

/**
 * What an error is to the layers above: trouble with the service, or, unchanged, a defect. `action` begins the message,
 * such as "reserve()"; `queue` is the full name on SQS, `option` the one that named it, if any.
 */
export function translateError(
  error: unknown,
  action: string,
  queue: string,
  option: string | null = null,
): unknown {
  if (!(error instanceof RequestFailed)) return error;
  const { failure } = error;
  // The SDK could not be loaded after all.
  if (failure instanceof QueueException) return failure;
  const answer = error.sent ? serviceErrorOf(failure) : null;
  if (answer !== null) return answered(answer, sdkCause(failure), action, queue, option);
  if (error.sent && !isUnreached(failure))
    return outcomeUnknown(codeOf(failure), sdkCause(failure), action, queue);
  return neverSent(failure, action, queue);
}

/** What an entry of a batch was answered. */
export function translateEntry(answer: ServiceError, action: string, queue: string): Error {
  return answered(answer, undefined, action, queue, null);
}

/** The service answered, and said nothing of this entry. */
export function unansweredEntry(action: string, queue: string): Error {
  return outcomeUnknown('an answer without this entry', undefined, action, queue);
}

function answered(
  answer: ServiceError,
  cause: unknown,
  action: string,
  queue: string,
  option: string | null,
): Error {
  const { code } = answer;
  const place = option === null ? '' : ` (the option ${option})`;
  if (isMissingQueue(answer)) {
    return new ServerRefused(
      `${action}: expected the queue "${queue}" on SQS${place}, came none (${code}). No queue is ever created here: create it, or ` +
        'check region, accountId and queuePrefix. SQS answers the same to who may not look it up.',
      { cause },
    );
  }
  if (isRefusal(answer)) {
    const advice = isForbidden(answer)
      ? 'docs/sqs.md lists the actions that a pusher and a worker need'
      : 'try again after a pause, as a worker does by itself';
    return new ServerRefused(
      `${action}: expected SQS to apply it to the queue "${queue}"${place}, came a refusal (${code}). Nothing was changed: ${advice}.`,
      { cause },
    );
  }
  return outcomeUnknown(code, cause, action, queue);
}

function outcomeUnknown(code: string, cause: unknown, action: string, queue: string): OutcomeUnknown {
  return new OutcomeUnknown(
    `${action}: expected an answer of SQS for the queue "${queue}", came none (${code}): it may have applied it or not. ` +
      'Look before you repeat a push: a second copy may be stored.',
    { cause },
  );
}

function neverSent(failure: unknown, action: string, queue: string): unknown {
  if (failure instanceof Error && /region is missing/i.test(failure.message)) {
    return new QueueConfigurationException(
      'sqs(): region: expected one, from the option or where the SDK looks for it (AWS_REGION, the profile), came none.',
      { cause: failure },
    );
  }
  // A request that cannot even be made is a mistake of this code.
  if (failure instanceof TypeError || failure instanceof RangeError) return failure;
  return new ConnectionFailed(
    `${action}: expected a connection to SQS${queue === '' ? '' : ` for the queue "${queue}"`}, came none ` +
      `(${codeOf(failure)}). Nothing was sent: ` +
      'try again; if it stays, check the region or endpoint, the way to it, and the credentials.',
    { cause: sdkCause(failure) },
  );
}

function isUnreached(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  return UNREACHED.test(String(code)) || syscall === 'connect' || syscall === 'getaddrinfo';
}

/** A code, never the message: that may quote what was sent. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'connection closed';
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  if (error.message.startsWith('no answer within')) return error.message;
  return error.name === 'Error' ? 'connection closed' : error.name;
}
