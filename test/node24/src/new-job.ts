import { newHeader, type NewJob } from '@kinetis/nestjs-queue';
import { randomBytes } from 'node:crypto';

/** A job as a push makes it, with its id as its body. */
export function newJob(): NewJob {
  const id = randomBytes(16).toString('hex');
  const header = newHeader({ leaseSeconds: null, priority: 0, uniqueKey: null });
  return { id, queue: 'mail', header, body: JSON.stringify(id), delaySeconds: 0 };
}
