import { DeferJobException, FailJobException, Handle, Job, OnJobFailed } from '@kinetis/nestjs-queue';
import { growing } from './backoffs.js';
import { Journal } from './journal.js';
import { Partner } from './partner.js';

@Job({ queue: 'partner', maxAttempts: 5, backoff: growing })
export class CallPartner {
  constructor(readonly order: number) {}

  @Handle()
  async handle(partner: Partner): Promise<void> {
    const { status, retryAfterSeconds } = await partner.call(this.order);
    if (status === 404) throw new FailJobException('The partner does not know the order.'); // final at once
    if (status === 429) throw new DeferJobException(retryAfterSeconds, 'the partner is busy'); // spends no attempt
    if (status !== 200) throw new Error(`The partner answered ${status}.`); // again, after the backoff
  }

  /** Once, after the job was given up on. */
  @OnJobFailed()
  failed(error: unknown, journal: Journal): void {
    journal.write(`given up: ${error instanceof Error ? error.message : 'no error'}`);
  }
}
