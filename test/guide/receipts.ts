import { Injectable } from '@nestjs/common';
import { Queue } from '@kinetis/nestjs-queue';
import { BookOrder, SendReceipt } from './order.jobs.js';

@Injectable()
export class Receipts {
  constructor(private readonly queue: Queue) {}

  /** False when the receipt of the order is on its way already. */
  async send(order: number): Promise<boolean> {
    const id = await this.queue.push(new SendReceipt(order), {
      delaySeconds: 1,
      priority: 10, // -100 to 100, higher first
      uniqueKey: `receipt-${order}`, // while a job of the queue holds the key, the answer is null
      metadata: { tenant: 'acme' }, // travels with the job, see delivery.metadata
    });
    return id !== null;
  }

  /** All are stored or none. An entry is a job, or a job with options of its own. */
  sendMany(first: number, second: number): Promise<(string | null)[]> {
    return this.queue.pushMany([
      new SendReceipt(first),
      { job: new SendReceipt(second), uniqueKey: `receipt-${second}` },
    ]);
  }

  /** The second is stored once the first has succeeded; a final failure ends the chain. */
  bookAndSend(order: number): Promise<string[]> {
    return this.queue.chain([new BookOrder(order), { job: new SendReceipt(order), delaySeconds: 0.1 }]);
  }
}
