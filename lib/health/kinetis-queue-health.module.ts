import { Module } from '@nestjs/common';
import { HealthIndicatorService } from '@nestjs/terminus';
import { QueueHealthIndicator } from './queue-health.indicator.js';

/**
 * Makes `QueueHealthIndicator` injectable in the module that imports it, beside `TerminusModule`.
 *
 * @publicApi
 */
@Module({
  // Not TerminusModule: the application configures that one, and a second would log and drain on its own.
  providers: [HealthIndicatorService, QueueHealthIndicator],
  exports: [QueueHealthIndicator],
})
export class KinetisQueueHealthModule {}
