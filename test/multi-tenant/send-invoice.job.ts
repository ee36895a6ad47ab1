import { Handle, Job, JobDelivery, Queue } from '@kinetis/nestjs-queue';
import { Ledger } from './ledger.js';
import { TenantDatabase } from './tenant-database.js';

@Job({ queue: 'invoices' })
export class ArchiveInvoice {
  constructor(readonly invoice: number) {}

  @Handle()
  handle(database: TenantDatabase, ledger: Ledger): void {
    ledger.write(`${database.tenant} archived ${this.invoice}`);
  }
}

@Job({ queue: 'invoices', maxAttempts: 2 })
export class SendInvoice {
  constructor(readonly invoice: number) {}

  /** `Ledger` is one for all, `TenantDatabase` one for each tenant. */
  @Handle()
  async handle(database: TenantDatabase, ledger: Ledger, queue: Queue, delivery: JobDelivery): Promise<void> {
    database.rows.push(`invoice ${this.invoice}`);
    if (delivery.attempts === 1) throw new Error('The mail server is busy.');
    await queue.push(new ArchiveInvoice(this.invoice)); // of the same tenant
    ledger.write(`${database.tenant} sent ${this.invoice} in attempt ${delivery.attempts}`);
  }
}
