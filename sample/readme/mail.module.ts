import { Injectable, Module } from '@nestjs/common';
import { InjectQueue, provideJobs, Queue } from '@kinetis/nestjs-queue';
import { Mailer } from './mailer.js';
import { SendWelcomeEmail } from './send-welcome-email.job.js';

@Injectable()
export class Welcomes {
  constructor(
    private readonly queue: Queue,
    @InjectQueue('ledger') private readonly ledger: Queue,
  ) {}

  welcome(email: string, token: string): Promise<string> {
    return this.queue.push(new SendWelcomeEmail(email, token, new Date()), { delaySeconds: 1 });
  }

  waiting(): Promise<number> {
    return this.ledger.size('invoices');
  }
}

@Module({
  providers: [Mailer, Welcomes, ...provideJobs(SendWelcomeEmail)],
  exports: [Welcomes],
})
export class MailModule {}
