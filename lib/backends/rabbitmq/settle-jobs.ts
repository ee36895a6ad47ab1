import {
  OutcomeUnknown,
  PublishNotConfirmedException,
  type SettleOutcome,
  type Settlement,
} from '../../contract/index.js';
import type { RabbitMqBackendParts } from './rabbitmq-backend-parts.js';
import { asRabbitMqReceipt, type RabbitMqReceipt } from './rabbitmq-receipt.js';
import { replacementsOf } from './replacements.js';
import { type MessageToSend, sendMessage } from './send-message.js';

const APPLIED = { status: 'applied' } as const;
const STALE = { status: 'stale' } as const;

/**
 * Settles deliveries, each on the channel that it came by. What takes its place is published and confirmed first, then
 * the original is acknowledged: a stop between the two delivers it twice, and never loses it.
 */
export function settleJobs(
  parts: RabbitMqBackendParts,
  settlements: readonly Settlement[],
): Promise<readonly SettleOutcome[]> {
  return Promise.all(
    settlements.map(async (settlement) => {
      const receipt = asRabbitMqReceipt(settlement.receipt);
      if (!receipt.claim()) return STALE;
      const replacements = replacementsOf(parts.settings, receipt, settlement);
      if (replacements.length > 0)
        return settleInTwoSteps(parts, settlement.operation, receipt, replacements);
      return receipt.channel.ack(receipt.message) ? APPLIED : STALE;
    }),
  );
}

async function settleInTwoSteps(
  parts: RabbitMqBackendParts,
  operation: string,
  { channel, message }: RabbitMqReceipt,
  replacements: readonly MessageToSend[],
): Promise<SettleOutcome> {
  let isStored = false;
  try {
    const action = `${operation}()`;
    const sent = await Promise.all(
      replacements.map((replacement) => sendMessage(parts, action, replacement, () => !channel.closed)),
    );
    // Nothing was written, and the delivery is over by itself.
    if (channel.closed && sent.every(({ status }) => status === 'refused')) return STALE;
    const failed = sent.find((outcome) => outcome.status !== 'applied');
    if (failed !== undefined) return notReplaced(operation, failed.error);
    isStored = true;
  } finally {
    // Never left unsettled while the channel lives: nobody could settle it any more.
    if (!isStored) channel.requeue(message);
  }
  if (channel.ack(message)) return APPLIED;
  return {
    status: 'unknown',
    error: new OutcomeUnknown(
      `${operation}(): expected to acknowledge the delivery after what follows from it was stored, came a closed ` +
        'channel. RabbitMQ delivers the job once more.',
      { cause: channel.lost.reason },
    ),
  };
}

/** The original was given back, so that the same settlement cannot be sent again: also where nothing was stored. */
function notReplaced(operation: string, error: Error): SettleOutcome {
  return {
    status: 'unknown',
    error: new PublishNotConfirmedException(
      `${error.message} The ${operation} is off: the job comes again.`,
      {
        cause: error,
      },
    ),
  };
}
