import { Handle, Job, JobDelivery, Queue } from '../../../lib/index.js';

/** Fails once; then pushes another job while it runs. */
@Job({ queue: 'orders', maxAttempts: 3 })
export class Charge {
  constructor(readonly order: string) {}

  @Handle()
  async handle(delivery: JobDelivery, queue: Queue): Promise<void> {
    if (delivery.attempts === 1) throw new CardDeclined(`The card of ${this.order} was declined.`);
    await queue.push(new Notify(this.order));
  }
}

export class CardDeclined extends Error {}

@Job({ queue: 'mail' })
export class Notify {
  constructor(readonly order: string) {}

  handle(): void {}
}

@Job({ queue: 'orders' })
export class Book {
  constructor(readonly order: string) {}

  handle(): void {}
}

@Job({ queue: 'mail' })
export class SendReceipt {
  constructor(readonly order: string) {}

  handle(): void {}
}
