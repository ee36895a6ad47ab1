import type { SettleOutcome, Settlement } from '../../contract/index.js';
import type { RabbitMqBackendParts } from './rabbitmq-backend-parts.js';
import { asRabbitMqReceipt } from './rabbitmq-receipt.js';

const APPLIED = { status: 'applied' } as const;
const STALE = { status: 'stale' } as const;

/** Settles deliveries, each on the channel that it came by. */
export function settleJobs(
  parts: RabbitMqBackendParts,
  settlements: readonly Settlement[],
): Promise<readonly SettleOutcome[]> {
  return Promise.all(settlements.map((settlement) => settleOne(parts, settlement)));
}

async function settleOne(_parts: RabbitMqBackendParts, settlement: Settlement): Promise<SettleOutcome> {
  const { channel, message } = asRabbitMqReceipt(settlement.receipt);
  if (settlement.operation === 'ack') return channel.ack(message) ? APPLIED : STALE;
  throw new TypeError(`${settlement.operation}(): not offered yet.`);
}
