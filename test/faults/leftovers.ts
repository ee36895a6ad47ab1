import { type FailedJobsBackend, keepsFailedJobs, type QueueBackend } from '../../lib/contract/index.js';
import { FAULT_QUEUE, type Leftovers } from './target.js';

const MANY = 1_000;

/** What a backend that counts exactly says of the trial's queue. */
export async function leftoversOf(backend: QueueBackend): Promise<Leftovers> {
  const { ready, delayed, reserved, failed } = await backend.count(FAULT_QUEUE);
  const failedIds = keepsFailedJobs(backend) ? await failedIdsOf(backend) : null;
  return { ready, delayed: delayed ?? 0, reserved: reserved ?? 0, failed, failedIds };
}

async function failedIdsOf(backend: FailedJobsBackend): Promise<readonly string[]> {
  const { jobs } = await backend.listFailed({ queue: FAULT_QUEUE, limit: MANY });
  return jobs.map(({ id }) => id);
}
