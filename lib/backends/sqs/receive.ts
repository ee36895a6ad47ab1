import type { Message } from '@aws-sdk/client-sqs';
import { leaseSecondsOf, type ReservedItem } from '../../contract/index.js';
import { hiddenTime } from './hidden-time.js';
import { HEADER_ATTRIBUTES, headerOf } from './read-message.js';
import { BATCH_ENTRIES } from './service-limits.js';
import type { SqsBackendParts } from './sqs-backend-parts.js';
import { SqsReceipt } from './sqs-receipt.js';
import type { SettleLines } from './settle-lines.js';

export interface ReceiveOptions {
  readonly limit: number;
  /** How long SQS waits for a message, in whole seconds; 0 for not at all. */
  readonly waitSeconds: number;
  readonly action: string;
}

/**
 * One receive. It is never aborted: what SQS has handed over by then would be hidden until its visibility ends, and
 * nobody would know of it.
 */
export async function receive(
  parts: SqsBackendParts,
  lines: SettleLines,
  queue: string,
  { limit, waitSeconds, action }: ReceiveOptions,
): Promise<readonly ReservedItem[]> {
  const { settings, wire, urls } = parts;
  return urls.asking(queue, action, async (url) => {
    const askedAtMs = parts.now();
    const { Messages = [] } = await wire.send(
      'ReceiveMessage',
      {
        QueueUrl: url,
        MaxNumberOfMessages: Math.min(limit, BATCH_ENTRIES),
        VisibilityTimeout: settings.leaseSeconds,
        WaitTimeSeconds: waitSeconds,
        // The count of receives, by the parameter's older name, which SQS keeps: what does not know the newer would leave
        // the count out, and a message without it is taken for malformed.
        AttributeNames: ['All'],
        // A copy for the dead-letter queue keeps what others have written too.
        MessageAttributeNames: settings.deadLetterQueue === null ? HEADER_ATTRIBUTES : ['All'],
      },
      { waitMs: waitSeconds * 1_000 },
    );
    return Promise.all(Messages.map((message) => itemOf(parts, lines, queue, message, askedAtMs)));
  });
}

async function itemOf(
  parts: SqsBackendParts,
  lines: SettleLines,
  queue: string,
  message: Message,
  askedAtMs: number,
): Promise<ReservedItem> {
  const { Body = '', ReceiptHandle = '', MessageAttributes = {} } = message;
  const header = headerOf(message);
  const received = { body: Body, attributes: MessageAttributes };
  const receipt = new SqsReceipt(queue, ReceiptHandle, askedAtMs, received);
  return {
    queue,
    receipt,
    header,
    body: Body,
    leaseSeconds: await ownLease(parts, lines, receipt, header?.leaseSeconds),
    lost: receipt.lost,
  };
}

/**
 * All messages of a receive have one visibility timeout; a job's own is set afterwards. What cannot be set is not told:
 * the lease is what the message really has, and at worst shorter than that.
 */
async function ownLease(
  { settings, now }: SqsBackendParts,
  lines: SettleLines,
  receipt: SqsReceipt,
  own: unknown,
): Promise<number> {
  const { leaseSeconds } = settings;
  const wanted = hiddenTime(leaseSecondsOf(own, leaseSeconds), receipt.askedAtMs, now())?.seconds ?? 0;
  if (wanted === leaseSeconds || own === null || own === undefined) return leaseSeconds;
  const { status } = await lines.hide({ receipt, seconds: wanted, action: 'reserve()' });
  if (status === 'applied') return wanted;
  return status === 'unknown' ? Math.min(wanted, leaseSeconds) : leaseSeconds;
}
