import { Injectable } from '@nestjs/common';
import { Queue } from '@kinetis/nestjs-queue';
import { SendWelcome } from './send-welcome.job.js';

@Injectable()
export class Registrations {
  constructor(private readonly queue: Queue) {}

  /** False when the mail of this address waits already. */
  async register(email: string): Promise<boolean> {
    const id = await this.queue.push(new SendWelcome(email, 'free'), {
      delaySeconds: 60,
      priority: 10, // higher first
      uniqueKey: `welcome-${email}`,
    });
    return id !== null;
  }
}
