import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { KinetisQueueHealthModule } from '@kinetis/nestjs-queue/health';
import { HealthController } from './health.controller.js';

@Module({
  imports: [TerminusModule.forRoot({ logger: false }), KinetisQueueHealthModule],
  controllers: [HealthController],
})
export class HealthModule {}
