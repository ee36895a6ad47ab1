import { Injectable, Module } from '@nestjs/common';
import { KinetisQueueModule, provideJobs, Queue } from '@kinetis/nestjs-queue';
import { redis } from '@kinetis/nestjs-queue/redis';
import { Mailer } from './mailer.js';
import { CountRegistration, SendWelcome } from './send-welcome.job.js';

@Injectable()
export class Registrations {
  constructor(private readonly queue: Queue) {}

  async register(email: string): Promise<void> {
    await this.queue.push(new SendWelcome(email, 'a-secret-token', new Date()), {
      delaySeconds: 30,
      uniqueKey: `welcome-${email}`,
    });
  }

  async confirm(email: string): Promise<void> {
    await this.queue.chain([new CountRegistration(email), new SendWelcome(email, 'another', new Date())]);
  }
}

@Module({
  imports: [
    KinetisQueueModule.forRootAsync({
      connections: ['default'],
      useFactory: () => {
        const url = process.env['REDIS_URL'];
        if (url === undefined) throw new Error('REDIS_URL is not set.');
        return { default: redis({ url }) };
      },
    }),
  ],
  providers: [Mailer, Registrations, ...provideJobs(SendWelcome, CountRegistration)],
})
export class AppModule {}
