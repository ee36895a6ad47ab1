import { Module } from '@nestjs/common';
import { KinetisQueueModule } from '@kinetis/nestjs-queue';
import { AppController } from './app.controller.js';
import { AppService } from './app.service.js';
import { MailModule } from './mail/mail.module.js';

@Module({
  imports: [MailModule, KinetisQueueModule.forRoot()],
  controllers: [AppController],
  providers: [AppService],
})
export class AppModule {}
