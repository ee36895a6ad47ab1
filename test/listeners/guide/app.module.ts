import { Module } from '@nestjs/common';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { KinetisQueueModule, memory } from '@kinetis/nestjs-queue';
import { KinetisQueueListenersModule } from '@kinetis/nestjs-queue/event-emitter';
import { Accounts } from './accounts.js';
import { Audit } from './audit.js';
import { Mailer } from './mailer.js';
import { WelcomeMails } from './welcome-mails.js';

@Module({
  imports: [
    EventEmitterModule.forRoot({ wildcard: true }),
    KinetisQueueModule.forRoot({ connections: { default: memory() }, worker: {} }),
    KinetisQueueListenersModule,
  ],
  providers: [Mailer, Accounts, WelcomeMails, Audit],
})
export class AppModule {}
