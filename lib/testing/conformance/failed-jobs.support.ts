import assert from 'node:assert/strict';
import { type FailedJobsBackend, keepsFailedJobs, type StoredFailedJob } from '../../contract/index.js';
import { concern } from './conformance-case.js';
import type { Session } from './session.js';

export const failedCase = concern('failed', { failedJobs: ['yes', 'scan'] });
export const indexedCase = concern('failed', { failedJobs: 'yes' });
export const scannedCase = concern('failed', { failedJobs: 'scan' });

export function storeOf(session: Session): FailedJobsBackend {
  assert.ok(keepsFailedJobs(session.backend), 'a backend that claims failedJobs keeps failed jobs');
  return session.backend;
}

export async function listed(session: Session): Promise<readonly StoredFailedJob[]> {
  return (await storeOf(session).listFailed({ queue: session.queue, limit: 1_000 })).jobs;
}

/** Pushes a note, takes it and gives it up; answers its id. */
export async function failNote(
  session: Session,
  text: string,
  options: { queue?: string } = {},
): Promise<string> {
  const id = await session.push(text, options);
  const job = await session.take(options.queue ?? session.queue);
  await session.connection.settler.fail(job, new Error(`no ${text}`), 'exhausted');
  return id;
}
