import type { QueuedJob } from '../contract/index.js';
import { type JobDefinition, secretsOf } from '../jobs/index.js';
import { rebuild } from './rebuild.js';
import type { RunningDelivery } from './running-delivery.js';
import type { WorkerLog } from './worker-log.js';

/** What is known of the job of a delivery. */
export interface KnownJob {
  readonly definition: JobDefinition | null;
  /** null when it was not rebuilt. */
  readonly job: object | null;
}

/** Calls the method of a job that `@OnJobFailed()` marks, after a final failure. */
export async function tellFailedJob(
  { scope, job: queued }: RunningDelivery,
  { definition, job }: KnownJob,
  error: unknown,
  log: WorkerLog,
): Promise<void> {
  if (scope?.failed === undefined || definition?.onFailed == null) return;
  try {
    const told = job ?? rebuiltOrNull(definition, queued);
    if (told !== null) await scope.failed(told, error);
  } catch (failure) {
    log.observerFailed(`${definition.name}.failed`, failure, queued, secretsOf(definition, queued.args));
  }
}

/** A job that was given up on before it was rebuilt; one that cannot be is told of nothing. */
function rebuiltOrNull(definition: JobDefinition, job: QueuedJob): object | null {
  try {
    return rebuild(definition, job);
  } catch {
    return null;
  }
}
