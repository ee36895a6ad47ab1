import { Handle, Job } from '@kinetis/nestjs-queue';
import { ReportBuilder } from './report-builder.js';

@Job({ queue: 'reports', maxAttempts: 3 })
export class BuildReport {
  /** `month` as 2026-11. */
  constructor(readonly month: string) {}

  @Handle()
  async handle(reports: ReportBuilder): Promise<void> {
    await reports.build(this.month);
  }
}
