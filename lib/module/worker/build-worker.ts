import { QueueWorker, type WorkerLogger } from '../../worker/index.js';
import type { QueueApplication } from '../queue-application.js';
import type { WorkerPlan } from './worker-plan.js';

/** The worker of a plan; a line warns of what it leaves to others. */
export function buildWorker(
  application: QueueApplication,
  plan: WorkerPlan,
  logger: WorkerLogger,
): QueueWorker {
  const { connection, options, unwatched } = plan;
  const { registry, scopes, listeners, middleware } = application.jobs;
  if (unwatched.length > 0) {
    logger.warn({
      event: 'worker.unwatched-queues',
      reason: 'listed jobs name these queues, and this worker does not watch them',
      queues: unwatched,
      connection: connection.name,
      worker: options.name,
    });
  }
  return new QueueWorker(
    {
      connection,
      registry,
      scopes,
      listeners,
      middleware,
      telemetry: application.settings.telemetry ?? null,
      logger,
    },
    options,
  );
}
