import {
  type ExtendSettlement,
  type FailSettlement,
  OutcomeUnknown,
  type ReturnSettlement,
  type SettleOutcome,
  type Settlement,
} from '../../contract/index.js';
import { sendDeadLetter } from './dead-letter.js';
import { hiddenTime } from './hidden-time.js';
import type { SettleLines } from './settle-lines.js';
import type { SqsBackendParts } from './sqs-backend-parts.js';
import { asSqsReceipt, type SqsReceipt } from './sqs-receipt.js';

/** Settles or extends deliveries. */
export function settleJobs(
  parts: SqsBackendParts,
  lines: SettleLines,
  settlements: readonly Settlement[],
): Promise<readonly SettleOutcome[]> {
  return Promise.all(settlements.map((settlement) => settleOne(parts, lines, settlement)));
}

function settleOne(
  parts: SqsBackendParts,
  lines: SettleLines,
  settlement: Settlement,
): Promise<SettleOutcome> {
  const receipt = asSqsReceipt(settlement.receipt);
  if (settlement.operation === 'extend') return extend(parts, lines, receipt, settlement);
  receipt.settled();
  switch (settlement.operation) {
    case 'ack':
      return lines.remove({ receipt, action: 'ack()' });
    case 'fail':
      return fail(parts, lines, receipt, settlement);
    default:
      return giveBack(parts, lines, receipt, settlement);
  }
}

async function fail(
  parts: SqsBackendParts,
  lines: SettleLines,
  receipt: SqsReceipt,
  { failure }: FailSettlement,
): Promise<SettleOutcome> {
  const { deadLetterQueue } = parts.settings;
  if (deadLetterQueue === null) return lines.remove({ receipt, action: 'fail()' });
  const sent = await sendDeadLetter(parts, deadLetterQueue, receipt, failure);
  if (sent.status !== 'applied') return sent;
  const removed = await lines.remove({ receipt, action: 'fail()' });
  if (removed.status === 'applied') return removed;
  // Sent again it would leave a second copy.
  const error = new OutcomeUnknown(
    `fail(): expected SQS to delete a job of the queue "${receipt.queue}" after its copy was sent to ` +
      `"${deadLetterQueue}", came no confirmation. The job may come again, and then its failure leaves a second copy.`,
    { cause: 'error' in removed ? removed.error : undefined },
  );
  return { status: 'unknown', error };
}

/** The message stays what it is, with another time at which it can be seen. */
async function giveBack(
  { now }: SqsBackendParts,
  lines: SettleLines,
  receipt: SqsReceipt,
  { operation, delaySeconds }: ReturnSettlement,
): Promise<SettleOutcome> {
  const hidden = hiddenTime(delaySeconds, receipt.askedAtMs, now());
  if (hidden === null) return { status: 'stale' };
  return lines.hide({ receipt, seconds: hidden.seconds, action: `${operation}()` });
}

async function extend(
  { now }: SqsBackendParts,
  lines: SettleLines,
  receipt: SqsReceipt,
  { seconds }: ExtendSettlement,
): Promise<SettleOutcome> {
  const hidden = hiddenTime(seconds, receipt.askedAtMs, now());
  if (hidden === null) return { status: 'stale' };
  if (!hidden.cut) return lines.hide({ receipt, seconds: hidden.seconds, action: 'extend()' });
  // As much as there is; whoever holds the job is told when that is over.
  receipt.endsIn(hidden.leftMs);
  if (hidden.seconds === 0) return { status: 'applied' };
  return lines.hide({ receipt, seconds: hidden.seconds, action: 'extend()' });
}
