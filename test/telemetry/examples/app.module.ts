import { Module } from '@nestjs/common';
import { KinetisQueueModule, memory, provideJobs } from '@kinetis/nestjs-queue';
import { openTelemetry } from '@kinetis/nestjs-queue/opentelemetry';
import { SendInvoice } from './send-invoice.job.js';

@Module({
  imports: [
    KinetisQueueModule.forRoot({
      connections: { default: memory() },
      worker: {},
      telemetry: openTelemetry({
        measureQueues: { default: ['invoices'] }, // also where no worker watches it
      }),
    }),
  ],
  providers: [...provideJobs(SendInvoice)],
})
export class AppModule {}
