import type { Receipt } from '../../contract/index.js';

/** One delivery: the row, and the random token that its reservation wrote there. */
export class SqlReceipt {
  constructor(
    readonly seq: number,
    readonly token: string,
    readonly queue: string,
  ) {}

  /** The same for two receipts of one delivery only. */
  get key(): string {
    return `${this.seq}:${this.token}`;
  }
}

/** Receipts come back as they were handed out; anything else is a defect of the caller. */
export function asSqlReceipt(receipt: Receipt): SqlReceipt {
  if (receipt instanceof SqlReceipt) return receipt;
  throw new TypeError('settle(): expected a receipt of the sql backend, came one of another backend.');
}
