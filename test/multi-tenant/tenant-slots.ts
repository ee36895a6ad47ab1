import { Injectable } from '@nestjs/common';
import { DeferJobException, type JobDelivery, type JobMiddleware } from '@kinetis/nestjs-queue';
import { TENANT } from './current-tenant.js';

/** How many jobs of one tenant a worker process runs at a time; its `--concurrency` is more. */
const SLOTS = 2;
const AGAIN_AFTER_SECONDS = 1;

@Injectable()
export class TenantSlots implements JobMiddleware {
  readonly #running = new Map<string, number>();

  async use({ metadata }: JobDelivery, next: () => Promise<unknown>): Promise<unknown> {
    const tenant = metadata[TENANT] ?? '';
    const running = this.#running.get(tenant) ?? 0;
    // Spends no attempt, but on SQS, where each delivery is one.
    if (running >= SLOTS) throw new DeferJobException(AGAIN_AFTER_SECONDS, `${tenant} runs ${running} jobs`);
    this.#running.set(tenant, running + 1);
    try {
      return await next();
    } finally {
      this.#running.set(tenant, (this.#running.get(tenant) ?? 1) - 1);
    }
  }
}
