import { Handle, Job, JobDelivery } from '@kinetis/nestjs-queue';
import { Journal } from './journal.js';

@Job({ queue: 'orders' })
export class BookOrder {
  constructor(readonly order: number) {}

  @Handle()
  handle(journal: Journal): void {
    journal.write(`order ${this.order} booked`);
  }
}

@Job({ queue: 'orders', maxAttempts: 3 })
export class SendReceipt {
  constructor(readonly order: number) {}

  @Handle()
  handle(journal: Journal, delivery: JobDelivery): void {
    journal.write(`receipt ${this.order} of ${delivery.metadata['tenant'] ?? 'nobody'}`);
  }
}
