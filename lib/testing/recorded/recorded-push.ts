import type { ChainStep, JobBody, NewJob, WireValue } from '../../contract/index.js';

/**
 * A push that a recorded queue accepted. Its arguments are those that travel, `@Sensitive()` ones too: take care where you
 * print them.
 *
 * @publicApi
 */
export interface RecordedPush {
  readonly id: string;
  /** The job's wire name. */
  readonly job: string;
  readonly connection: string;
  readonly queue: string;
  /** Encoded arguments by name. */
  readonly args: { readonly [name: string]: WireValue };
  readonly delaySeconds: number;
  readonly priority: number;
  /** null: the worker's. */
  readonly maxAttempts: number | null;
  readonly metadata: { readonly [key: string]: string };
  /** SHA-256 of the unique key, null without one. */
  readonly uniqueKeyHash: string | null;
  /** The steps that come after it, where it begins a chain or is within one. */
  readonly chain: readonly ChainStep[];
  /** No push, but the next step of a chain, stored when the job before it succeeded. */
  readonly followUp: boolean;
}

/** What a job on its way into a backend says of itself. */
export function recordedPushOf(connection: string, job: NewJob, followUp: boolean): RecordedPush {
  const body = JSON.parse(job.body) as JobBody;
  return {
    id: job.id,
    job: body.class,
    connection,
    queue: job.queue,
    args: body.args,
    delaySeconds: job.delaySeconds,
    priority: job.header.priority,
    maxAttempts: body.maxAttempts,
    metadata: body.metadata,
    uniqueKeyHash: job.header.uniqueKey,
    chain: body.chain,
    followUp,
  };
}
