import { Module } from '@nestjs/common';
import { KinetisQueueModule, provideJobs } from '@kinetis/nestjs-queue';
import { redis } from '@kinetis/nestjs-queue/redis';
import { MailBridge } from './mail.bridge.js';
import { MailWatch } from './mail-watch.js';
import { Mailer } from './mailer.js';
import { AnnounceArticle, Articles, Publishing, RenderArticle } from './publish-article.js';
import { Registrations } from './registrations.js';
import { SendWelcome } from './send-welcome.job.js';

@Module({
  imports: [
    KinetisQueueModule.forRoot({
      connections: {
        // BullMQ's keys begin with "bull", these with the prefix: both may use one server.
        default: redis({
          url: process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379',
          prefix: process.env['SHOP_PREFIX'] ?? 'shop',
        }),
      },
    }),
  ],
  providers: [
    Articles,
    MailBridge,
    MailWatch,
    Mailer,
    Publishing,
    Registrations,
    ...provideJobs(SendWelcome, RenderArticle, AnnounceArticle),
  ],
})
export class AppModule {}
