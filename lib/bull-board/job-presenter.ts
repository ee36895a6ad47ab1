import type { QueueJobJson } from '@bull-board/api/dist/types.js';
import { type JobDefinition, type JobRegistry, redactArguments } from '../jobs/index.js';
import type { FailedJob, JobView } from '../queue/index.js';
import type { BullBoardOptions } from './bull-board-options.js';
import type { HeldJob } from './held-job.js';
import { shorten, shortText } from './shorten.js';
import { toldFailure } from './told-failure.js';

const DEFAULT_TEXT_LENGTH = 1_000;
/** How many times the longest text a stack may have. */
const STACK_TEXTS = 10;

/** Turns jobs into what Bull Board shows: arguments redacted by their class, everything cut to a length. */
export class JobPresenter {
  readonly #registry: JobRegistry;
  readonly #showMetadata: boolean;
  readonly #maxTextLength: number;

  constructor(registry: JobRegistry, options: BullBoardOptions) {
    this.#registry = registry;
    this.#showMetadata = options.showMetadata ?? false;
    this.#maxTextLength = options.maxTextLength ?? DEFAULT_TEXT_LENGTH;
  }

  present(held: HeldJob): QueueJobJson {
    const { id, job, body } = held.job;
    const definition = job === null ? null : this.#registry.find(job.class);
    const failedAt = held.state === 'failed' ? held.job.failedAt.getTime() : null;
    const timestamp = job?.pushedAt.getTime() ?? failedAt ?? Date.now();
    const delay = delayOf(held, timestamp);
    return {
      id,
      name: shortText(job?.class ?? '(does not decode)', this.#maxTextLength),
      timestamp,
      ...(delay === undefined ? {} : { delay }),
      ...(job === null || job.priority === 0 ? {} : { priority: job.priority }),
      attemptsMade: attemptsMade(held),
      data: job === null ? undecoded(body) : this.#dataOf(job, definition),
      opts: { ...this.#optionsOf(held, definition), ...(delay === undefined ? {} : { delay }) },
      progress: 0,
      returnvalue: null,
      ...(held.state === 'failed'
        ? this.#failureOf(held.job, definition)
        : { failedReason: '', stacktrace: [] }),
    };
  }

  #dataOf(job: JobView, definition: JobDefinition | null): unknown {
    return shorten(redactArguments(definition, job.args), this.#maxTextLength);
  }

  #optionsOf(held: HeldJob, definition: JobDefinition | null): Record<string, unknown> {
    const { job } = held.job;
    const where =
      held.state === 'failed'
        ? { cause: held.job.failure.cause, failedAt: held.job.failedAt.toISOString() }
        : held.state === 'active' && held.job.dueAt !== null
          ? { leaseEndsAt: held.job.dueAt.toISOString() }
          : {};
    if (job === null) return where;
    return {
      ...(job.maxAttempts === null ? {} : { attempts: job.maxAttempts }),
      priority: job.priority,
      deferrals: job.deferrals,
      ...where,
      ...(definition === null ? { class: 'not listed here: each argument is redacted' } : {}),
      ...(this.#showMetadata ? { metadata: shorten(job.metadata, this.#maxTextLength) } : {}),
    };
  }

  /**
   * When it failed is a line of its own, above the stack: as Bull Board's `finishedOn` it would be shown with how long the
   * last attempt took, which is not stored.
   */
  #failureOf({ job, failure, failedAt }: FailedJob, definition: JobDefinition | null) {
    const { cause, error, message, stack } = toldFailure(failure, definition, job?.args ?? {});
    const reason = shortText(`${error}: ${message}`, this.#maxTextLength);
    const shownStack = stack === null ? reason : shortText(stack, this.#maxTextLength * STACK_TEXTS);
    // The last one is shown first.
    return {
      failedReason: reason,
      stacktrace: [shownStack, `Failed at ${failedAt.toISOString()} (${cause})`],
    };
  }
}

/** Of a job that waits or runs, `attempts` is the attempt that its delivery is. */
function attemptsMade({ state, job: { job } }: HeldJob): number {
  if (job === null) return 0;
  return state === 'failed' ? job.attempts : job.attempts - 1;
}

/** From the push on, in milliseconds, which is how Bull Board reads it; undefined for a job that is not delayed. */
function delayOf(held: HeldJob, timestamp: number): number | undefined {
  if (held.state !== 'delayed' || held.job.dueAt === null) return undefined;
  return Math.max(held.job.dueAt.getTime() - timestamp, 0);
}

/** Nothing of it: nobody can say what is secret in it. */
function undecoded(body: string | Uint8Array): unknown {
  return { bytes: Buffer.byteLength(body), note: 'The stored bytes do not decode and are not shown.' };
}
