import { DeferJobException, Handle, Job, Sensitive } from '@kinetis/nestjs-queue';
import { Mailer } from './mailer.js';

@Job({ queue: 'mail', maxAttempts: 3, backoff: [10, 60] })
export class SendWelcome {
  constructor(
    readonly email: string,
    @Sensitive() readonly token: string,
    readonly registeredAt: Date,
  ) {}

  @Handle()
  async handle(mailer: Mailer): Promise<void> {
    if (mailer.closed) throw new DeferJobException(300, 'The mail server is closed.');
    await mailer.send(this.email, `Welcome since ${this.registeredAt.getFullYear()}`);
  }
}

@Job()
export class CountRegistration {
  constructor(readonly email: string) {}

  @Handle()
  handle(mailer: Mailer): void {
    mailer.counted += 1;
  }
}
