import { Module } from '@nestjs/common';
import { KinetisQueueModule, memory } from '@kinetis/nestjs-queue';
import { AppController } from './app.controller.js';
import { AppService } from './app.service.js';
import { MailModule } from './mail/mail.module.js';

@Module({
  imports: [MailModule, KinetisQueueModule.forRoot({ connections: { default: memory() }, worker: {} })],
  controllers: [AppController],
  providers: [AppService],
})
export class AppModule {}
