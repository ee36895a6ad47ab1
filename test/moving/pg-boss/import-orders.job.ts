import { Injectable } from '@nestjs/common';
import { Handle, Job, JobDelivery } from '@kinetis/nestjs-queue';

@Injectable()
export class Orders {
  readonly imported: string[] = [];
}

@Job({
  queue: 'orders',
  maxAttempts: 3, // retryLimit: 2
  backoff: { base: 5, factor: 2, max: 600, jitter: 0.5 }, // retryDelay: 5, retryBackoff: true, retryDelayMax: 600
  timeoutSeconds: 900, // expireInSeconds
})
export class ImportOrders {
  constructor(
    readonly file: string,
    readonly shop: string,
  ) {}

  @Handle()
  handle(orders: Orders, delivery: JobDelivery): void {
    orders.imported.push(`${this.file} of ${this.shop}, attempt ${delivery.attempts}`);
  }
}
