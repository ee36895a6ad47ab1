import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { QueueHealthIndicator } from './queue-health.indicator.js';

/**
 * Makes `QueueHealthIndicator` injectable in the module that imports it, beside `TerminusModule`.
 *
 * @publicApi
 */
@Module({
  imports: [TerminusModule],
  providers: [QueueHealthIndicator],
  exports: [QueueHealthIndicator],
})
export class KinetisQueueHealthModule {}
