import { Handle, Job, JobDelivery, Sensitive } from '@kinetis/nestjs-queue';
import { Mailer } from './mailer.js';

@Job({ queue: 'mail', maxAttempts: 5 })
export class SendWelcomeEmail {
  constructor(
    readonly email: string,
    readonly name: string,
    @Sensitive() readonly token: string,
    readonly registeredAt: Date,
  ) {}

  @Handle()
  async handle(mailer: Mailer, delivery: JobDelivery): Promise<void> {
    const day = this.registeredAt.toISOString().slice(0, 10);
    await mailer.send(
      {
        to: this.email,
        subject: `Welcome, ${this.name}`,
        text: `You registered on ${day}. Confirm your address with ${this.token}.`,
      },
      { signal: delivery.signal },
    );
  }
}
