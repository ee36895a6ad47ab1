import { randomBytes } from 'node:crypto';
import { encodeBody, type NewJob, newHeader, type ReservedItem } from '../../lib/contract/index.js';

interface JobShape {
  readonly queue?: string;
  readonly delaySeconds?: number;
  readonly priority?: number;
  readonly leaseSeconds?: number | null;
  readonly uniqueKey?: string | null;
  readonly args?: { readonly [name: string]: string };
}

/** A job as a push makes it. */
export function newJob(shape: JobShape = {}): NewJob {
  const { queue = 'mail', delaySeconds = 0, priority = 0, leaseSeconds = null, uniqueKey = null } = shape;
  const id = randomBytes(16).toString('hex');
  const body = encodeBody({
    id,
    pushedAt: new Date().toISOString(),
    class: 'test.job',
    args: shape.args ?? {},
    maxAttempts: null,
    metadata: {},
    chain: [],
  });
  return { id, queue, delaySeconds, body, header: newHeader({ leaseSeconds, priority, uniqueKey }) };
}

/** The id that stands in an item's body. */
export function idOf({ body }: Pick<ReservedItem, 'body'>): string {
  return (JSON.parse(String(body)) as { readonly id: string }).id;
}
