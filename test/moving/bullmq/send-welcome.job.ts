import { Handle, Job, JobDelivery } from '@kinetis/nestjs-queue';
import { Mailer } from './mailer.js';

@Job({ queue: 'mail', maxAttempts: 3, backoff: { base: 1, factor: 2 } })
export class SendWelcome {
  constructor(
    readonly email: string,
    readonly plan: string,
  ) {}

  @Handle()
  async handle(mailer: Mailer, delivery: JobDelivery): Promise<void> {
    delivery.signal.throwIfAborted();
    await mailer.welcome(this.email, this.plan);
  }
}
