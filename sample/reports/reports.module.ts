import { Module } from '@nestjs/common';
import { provideJobs } from '@kinetis/nestjs-queue';
import { BuildReport } from './build-report.job.js';
import { ReportBuilder } from './report-builder.js';
import { ReportsController } from './reports.controller.js';

@Module({
  controllers: [ReportsController],
  providers: [ReportBuilder, ...provideJobs(BuildReport)],
})
export class ReportsModule {}
