import { Handle, Job } from '@kinetis/nestjs-queue';
import { Mailer } from './mailer.js';

@Job({ queue: 'mail', maxAttempts: 5, backoff: [10, 60, 300] })
export class SendWelcomeEmail {
  constructor(readonly email: string) {}

  @Handle()
  handle(mailer: Mailer): void {
    mailer.send(this.email);
  }
}
