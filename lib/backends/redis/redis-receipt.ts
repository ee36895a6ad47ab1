import type { Receipt } from '../../contract/index.js';

/** One delivery: its token stands in `leased` and in `running` for as long as it is current. No two have the same. */
export class RedisReceipt {
  constructor(
    readonly queue: string,
    readonly token: string,
  ) {}

  /** Whether its job holds a unique key or a body, which have to be freed; see scripts/reserve.lua. */
  get holdsMore(): boolean {
    return this.token.endsWith('h');
  }
}

/** Receipts come back as they were handed out; anything else is a defect of the caller. */
export function asRedisReceipt(receipt: Receipt): RedisReceipt {
  if (receipt instanceof RedisReceipt) return receipt;
  throw new TypeError('settle(): expected a receipt of the redis backend, came one of another backend.');
}
