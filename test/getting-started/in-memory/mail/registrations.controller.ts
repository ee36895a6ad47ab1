import { Body, Controller, Post } from '@nestjs/common';
import { Queue } from '@kinetis/nestjs-queue';
import { SendWelcomeEmail } from './send-welcome-email.job.js';

@Controller('registrations')
export class RegistrationsController {
  constructor(private readonly queue: Queue) {}

  @Post()
  async register(@Body('email') email: string): Promise<string> {
    const id = await this.queue.push(new SendWelcomeEmail(email));
    return `pushed ${id}\n`;
  }
}
