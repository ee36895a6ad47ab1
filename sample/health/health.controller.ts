import { Controller, Get } from '@nestjs/common';
import { HealthCheck, HealthCheckService } from '@nestjs/terminus';
import { QueueHealthIndicator } from '@kinetis/nestjs-queue/health';
import { readSettings } from '../settings.js';

@Controller('health')
export class HealthController {
  readonly #maxWaiting = readSettings().backlogLimit;

  constructor(
    private readonly health: HealthCheckService,
    private readonly queues: QueueHealthIndicator,
  ) {}

  /** For a load balancer: can this process do its work? */
  @Get(['', 'ready'])
  @HealthCheck()
  ready() {
    return this.health.check([() => this.queues.connectionCheck('queue')]);
  }

  /** For an alarm: do the workers keep up? */
  @Get('backlog')
  @HealthCheck()
  backlog() {
    const maxWaiting = this.#maxWaiting;
    return this.health.check([
      () => this.queues.backlogCheck('mail', { queue: 'mail', maxWaiting }),
      () => this.queues.backlogCheck('reports', { queue: 'reports', maxWaiting }),
    ]);
  }
}
