import { Handle, Job, JobDelivery, Sensitive } from '@kinetis/nestjs-queue';
import { Mailer } from './mailer.js';

@Job({ queue: 'mail', maxAttempts: 5 })
export class SendWelcomeEmail {
  constructor(
    readonly email: string,
    @Sensitive() readonly token: string,
    readonly at: Date,
  ) {}

  @Handle()
  async handle(mailer: Mailer, delivery: JobDelivery): Promise<void> {
    await mailer.send(this.email, { signal: delivery.signal });
  }
}
