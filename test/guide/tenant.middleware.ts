import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import type { JobDelivery, JobMiddleware } from '@kinetis/nestjs-queue';

export const tenants = new AsyncLocalStorage<string>();

@Injectable()
export class TenantMiddleware implements JobMiddleware {
  use(delivery: JobDelivery, next: () => Promise<unknown>): Promise<unknown> {
    return tenants.run(delivery.metadata['tenant'] ?? 'nobody', next);
  }
}
