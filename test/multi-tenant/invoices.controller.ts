import { Controller, Param, ParseIntPipe, Post } from '@nestjs/common';
import { Queue } from '@kinetis/nestjs-queue';
import { SendInvoice } from './send-invoice.job.js';

@Controller('invoices')
export class InvoicesController {
  constructor(private readonly queue: Queue) {}

  /** Says nothing of the tenant: `captureMetadata` does. */
  @Post(':invoice')
  send(@Param('invoice', ParseIntPipe) invoice: number): Promise<string> {
    return this.queue.push(new SendInvoice(invoice));
  }
}
