import { Module } from '@nestjs/common';
import { provideJobs } from '@kinetis/nestjs-queue';
import { Mailer } from './mailer.js';
import { RegistrationsController } from './registrations.controller.js';
import { SendWelcomeEmail } from './send-welcome-email.job.js';

@Module({
  controllers: [RegistrationsController],
  providers: [Mailer, ...provideJobs(SendWelcomeEmail)],
})
export class MailModule {}
