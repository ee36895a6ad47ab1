import { BadRequestException, Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Queue } from '@kinetis/nestjs-queue';
import { BuildReport } from './build-report.job.js';

@Controller('reports')
export class ReportsController {
  constructor(private readonly queue: Queue) {}

  /** Takes `{ "month": "2026-11" }`; this month without it. */
  @Post()
  @HttpCode(202)
  async request(@Body() body: unknown): Promise<{ job: string }> {
    return { job: await this.queue.push(new BuildReport(monthOf(body))) };
  }
}

function monthOf(body: unknown): string {
  const month: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'month') : undefined;
  if (month === undefined) return new Date().toISOString().slice(0, 7);
  if (typeof month === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return month;
  throw new BadRequestException('Expected "month" to be a year and a month, like 2026-11.');
}
