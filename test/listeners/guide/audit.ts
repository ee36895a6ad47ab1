import { Injectable, Scope } from '@nestjs/common';
import { JobDelivery } from '@kinetis/nestjs-queue';
import { OnQueuedEvent, QueuedEvent } from '@kinetis/nestjs-queue/event-emitter';
import { Mailer } from './mailer.js';

/** Made for each delivery, by the worker. */
@Injectable({ scope: Scope.REQUEST })
export class Audit {
  constructor(
    private readonly mailer: Mailer,
    private readonly delivery: JobDelivery,
  ) {}

  /** No parameter for the event's values: they stay behind. */
  @OnQueuedEvent('user.*', { queue: 'audit' })
  async record({ name }: QueuedEvent): Promise<void> {
    await this.mailer.send('audit@example.org', `${name}, attempt ${this.delivery.attempts}`);
  }
}
