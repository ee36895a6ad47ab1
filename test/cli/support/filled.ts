import { failJob } from './fail-job.js';
import { newJob } from '../../support/redis-queue.js';
import type { QueueBackend } from '../../../lib/contract/index.js';

/**
 * Jobs in each state: on "mail" three ready, one delayed by an hour and one that a worker holds, on "reports" a failed
 * one; "imports" is paused and holds one.
 */
export async function filled(backend: QueueBackend): Promise<void> {
  await failJob(backend, newJob({ queue: 'reports' }));
  await backend.store([newJob()]);
  await backend.reserve(['mail'], 1);
  await backend.store([newJob(), newJob(), newJob(), newJob({ delaySeconds: 3_600 })]);
  await backend.store([newJob({ queue: 'imports' })]);
  if ('pauseQueue' in backend && typeof backend.pauseQueue === 'function')
    await backend.pauseQueue('imports');
}
