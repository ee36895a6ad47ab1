import { randomBytes } from 'node:crypto';
import { BadRequestException, Body, Controller, Post } from '@nestjs/common';
import { MikroORM } from '@mikro-orm/core';
import { Queue } from '@kinetis/nestjs-queue';
import { Registration } from './registration.entity.js';
import { SendWelcomeEmail } from './send-welcome-email.job.js';

@Controller('registrations')
export class RegistrationsController {
  constructor(
    private readonly orm: MikroORM,
    private readonly queue: Queue,
  ) {}

  @Post()
  async register(@Body() body: unknown): Promise<{ registration: number; job: string }> {
    const email = textOf(body, 'email');
    const name = textOf(body, 'name');
    const em = this.orm.em.fork();
    const registration = em.create(Registration, { email, name, registeredAt: new Date() });
    await em.persistAndFlush(registration);
    const token = randomBytes(16).toString('hex');
    const job = await this.queue.push(new SendWelcomeEmail(email, name, token, registration.registeredAt));
    return { registration: registration.id, job };
  }
}

function textOf(body: unknown, key: string): string {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, key) : undefined;
  if (typeof value === 'string' && value.trim() !== '' && value.length <= 200) return value.trim();
  throw new BadRequestException(`Expected "${key}" to be a text of 1 to 200 characters.`);
}
