import type { JobDelivery } from '@kinetis/nestjs-queue';
import type { Ledger } from './ledger.js';

/** What the jobs of both versions have in common: they say that they were done, and with which arguments. */
export abstract class DeployJob {
  protected done(ledger: Ledger, delivery: JobDelivery, n: number, more: readonly unknown[]): void {
    ledger.write('done', { id: delivery.id, n, attempt: delivery.attempts, job: delivery.name, more });
  }
}
