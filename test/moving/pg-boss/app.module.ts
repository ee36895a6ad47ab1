import { MikroORM } from '@mikro-orm/core';
import { MikroORM as PostgreSqlOrm } from '@mikro-orm/postgresql';
import { Global, Module } from '@nestjs/common';
import { KinetisQueueModule, provideJobs } from '@kinetis/nestjs-queue';
import { sql } from '@kinetis/nestjs-queue/sql';
import { ImportOrders, Orders } from './import-orders.job.js';
import { Uploads } from './uploads.js';

/** What `@mikro-orm/nestjs` provides where it is used. */
@Global()
@Module({
  providers: [
    {
      provide: MikroORM,
      useFactory: () =>
        PostgreSqlOrm.init({
          clientUrl: process.env['DATABASE_URL'] ?? 'postgresql://postgres@127.0.0.1:5432/shop',
          entities: [],
          discovery: { warnWhenNoEntities: false },
          schemaGenerator: { skipTables: [/^kinetis_queue_/] }, // else a schema diff drops them
        }),
    },
  ],
  exports: [MikroORM],
})
export class DatabaseModule {}

@Module({
  imports: [DatabaseModule, KinetisQueueModule.forRoot({ connections: { default: sql() } })],
  providers: [Orders, Uploads, ...provideJobs(ImportOrders)],
})
export class AppModule {}
