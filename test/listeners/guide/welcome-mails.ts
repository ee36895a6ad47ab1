import { Injectable } from '@nestjs/common';
import { OnQueuedEvent } from '@kinetis/nestjs-queue/event-emitter';
import { Mailer } from './mailer.js';
import { UserRegistered } from './user-registered.event.js';

@Injectable()
export class WelcomeMails {
  constructor(private readonly mailer: Mailer) {}

  @OnQueuedEvent('user.registered', { queue: 'mail', maxAttempts: 5, backoff: [10, 60, 300] })
  async welcome(event: UserRegistered): Promise<void> {
    await this.mailer.send(event.email, `Welcome! ${event.confirmationLink}`);
  }

  @OnQueuedEvent('user.registered', { id: 'first-week-mail', queue: 'mail', delaySeconds: 7 * 86_400 })
  async afterAWeek(event: UserRegistered): Promise<void> {
    await this.mailer.send(event.email, 'How was your first week?');
  }
}
