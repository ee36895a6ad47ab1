import { Controller, Get, Module } from '@nestjs/common';
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { KinetisQueueHealthModule, QueueHealthIndicator } from '@kinetis/nestjs-queue/health';

@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly queues: QueueHealthIndicator,
  ) {}

  /** Readiness: does the backend answer? */
  @Get('ready')
  @HealthCheck()
  ready() {
    return this.health.check([() => this.queues.connectionCheck('queue')]);
  }

  /** Liveness, where the worker is inside the application: has it ended by itself? */
  @Get('live')
  @HealthCheck()
  live() {
    return this.health.check([() => this.queues.workerCheck('worker')]);
  }

  /** For an alarm: do the workers keep up? */
  @Get('backlog')
  @HealthCheck()
  backlog() {
    const limits = { queue: 'orders', maxWaiting: 1_000, maxOldestSeconds: 300 };
    return this.health.check([() => this.queues.backlogCheck('orders', limits)]);
  }
}

@Module({
  imports: [TerminusModule.forRoot({ logger: false }), KinetisQueueHealthModule],
  controllers: [HealthController],
})
export class HealthModule {}
