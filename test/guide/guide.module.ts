import { Module } from '@nestjs/common';
import { KinetisQueueModule, memory, provideJobs } from '@kinetis/nestjs-queue';
import { CallPartner } from './call-partner.job.js';
import { HealthModule } from './health.module.js';
import { ImportFile } from './import-file.job.js';
import { JobWatch } from './job-watch.js';
import { Journal } from './journal.js';
import { BookOrder, SendReceipt } from './order.jobs.js';
import { Partner } from './partner.js';
import { Receipts } from './receipts.js';
import { RegisterCustomer } from './register-customer.job.js';
import { Greet } from './greet.job.js';
import { Support } from './support.js';
import { TenantMiddleware } from './tenant.middleware.js';

@Module({
  imports: [
    HealthModule,
    KinetisQueueModule.forRoot({
      connections: { default: memory() },
      middleware: [TenantMiddleware],
      worker: { concurrency: 5 }, // runs jobs inside this application
    }),
  ],
  providers: [
    Journal,
    JobWatch,
    Partner,
    Receipts,
    Support,
    TenantMiddleware,
    ...provideJobs(BookOrder, SendReceipt, CallPartner, Greet, ImportFile, RegisterCustomer),
  ],
})
export class GuideModule {}
