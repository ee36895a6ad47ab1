import { Handle, Job, JobDelivery } from '@kinetis/nestjs-queue';
import { fileExists } from './transaction-hold.js';
import { Ledger } from './ledger.js';

/** Work for a row of the application's own table, pushed in the transaction that writes the row. */
@Job({ queue: 'orders' })
export class Order {
  constructor(
    readonly n: number,
    /** Runs until this file exists; empty: not at all. */
    readonly holdFile = '',
  ) {}

  @Handle()
  async handle(ledger: Ledger, delivery: JobDelivery): Promise<void> {
    const line = { id: delivery.id, n: this.n, attempt: delivery.attempts };
    ledger.write('start', line);
    if (this.holdFile !== '') await fileExists(this.holdFile);
    ledger.write('end', line);
  }
}
