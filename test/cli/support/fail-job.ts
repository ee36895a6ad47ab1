import type { NewJob, QueueBackend } from '../../../lib/contract/index.js';

/** Stores a job and gives it up, as a worker does with one whose handler threw for the last time. */
export async function failJob(
  backend: QueueBackend,
  job: NewJob,
  message = 'no such template',
): Promise<void> {
  await backend.store([job]);
  const [item] = await backend.reserve([job.queue], 1);
  if (item === undefined) throw new Error(`Expected the job of "${job.queue}" to be there, came none.`);
  const failure = { cause: 'exhausted', error: 'TemplateError', message, stack: null } as const;
  await backend.settle([{ operation: 'fail', receipt: item.receipt, failure }]);
}
