import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { ContextIdFactory } from '@nestjs/core';
import { KinetisQueueModule, memory, provideJobs } from '@kinetis/nestjs-queue';
import { captureTenant } from './current-tenant.js';
import { InvoicesController } from './invoices.controller.js';
import { Ledger } from './ledger.js';
import { ArchiveInvoice, SendInvoice } from './send-invoice.job.js';
import { TenantDatabase } from './tenant-database.js';
import { DeliveryTenant, RequestTenant } from './tenant.middleware.js';
import { TenantStrategy } from './tenant.strategy.js';

@Module({
  imports: [
    KinetisQueueModule.forRoot({
      connections: { default: memory() },
      captureMetadata: captureTenant,
      middleware: [DeliveryTenant],
      worker: {},
    }),
  ],
  controllers: [InvoicesController],
  providers: [DeliveryTenant, Ledger, TenantDatabase, ...provideJobs(ArchiveInvoice, SendInvoice)],
})
export class AppModule implements NestModule {
  constructor() {
    // Here, and not in main.ts: the worker is another process, and needs it as well.
    ContextIdFactory.apply(new TenantStrategy(new Set(['acme', 'globex'])));
  }

  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(RequestTenant).forRoutes('*path');
  }
}
