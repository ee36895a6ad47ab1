import type { Receipt } from '../../contract/index.js';

/** One delivery: the member that stands in `leased` for as long as it is current. */
export class RedisReceipt {
  constructor(
    readonly queue: string,
    readonly leased: Buffer,
  ) {}
}

/** Receipts come back as they were handed out; anything else is a defect of the caller. */
export function asRedisReceipt(receipt: Receipt): RedisReceipt {
  if (receipt instanceof RedisReceipt) return receipt;
  throw new TypeError('settle(): expected a receipt of the redis backend, came one of another backend.');
}
