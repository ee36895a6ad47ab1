import type { FailedJob } from '../../queue/index.js';

/** A failed job as the command tells of it: its arguments by name and size, unless their values are asked for. */
export interface FailedReport {
  readonly id: string;
  readonly queue: string;
  /** null, as all that follows from the envelope, where the stored bytes do not decode. */
  readonly class: string | null;
  readonly attempts: number | null;
  readonly maxAttempts: number | null;
  readonly priority: number | null;
  readonly pushedAt: string | null;
  readonly failedAt: string;
  readonly cause: string;
  readonly error: string;
  readonly message: string;
  readonly stack: string | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly bodyBytes: number;
  /** Bytes of each argument as JSON. */
  readonly argumentBytes: Readonly<Record<string, number>> | null;
}

export function reportOf({ id, queue, job, body, failure, failedAt }: FailedJob): FailedReport {
  return {
    id,
    queue,
    class: job?.class ?? null,
    attempts: job?.attempts ?? null,
    maxAttempts: job?.maxAttempts ?? null,
    priority: job?.priority ?? null,
    pushedAt: job?.pushedAt.toISOString() ?? null,
    failedAt: failedAt.toISOString(),
    ...failure,
    metadata: job?.metadata ?? null,
    bodyBytes: Buffer.byteLength(body),
    argumentBytes:
      job === null
        ? null
        : Object.fromEntries(
            Object.entries(job.args).map(([name, value]) => [name, Buffer.byteLength(JSON.stringify(value))]),
          ),
  };
}

/** What `--show-args` adds: the arguments, or the bytes that do not decode, as text or in base64. */
export function payloadOf({ job, body }: FailedJob): Readonly<Record<string, unknown>> {
  if (job !== null) return { args: job.args };
  return typeof body === 'string' ? { body } : { bodyBase64: Buffer.from(body).toString('base64') };
}
