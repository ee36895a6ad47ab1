import { Module } from '@nestjs/common';
import { KinetisQueueModule } from '@kinetis/nestjs-queue';
import { sql } from '@kinetis/nestjs-queue/sql';
import { DatabaseModule } from './database/database.module.js';
import { HealthModule } from './health/health.module.js';
import { HomeController } from './home.controller.js';
import { RegistrationsModule } from './registrations/registrations.module.js';
import { ReportsModule } from './reports/reports.module.js';

@Module({
  imports: [
    DatabaseModule,
    // Jobs are kept in the application's own database, over its own MikroORM.
    KinetisQueueModule.forRoot({ connections: { default: sql() } }),
    RegistrationsModule,
    ReportsModule,
    HealthModule,
  ],
  controllers: [HomeController],
})
export class AppModule {}
