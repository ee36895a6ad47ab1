import type { QueuedJob } from '../contract/index.js';

/** What a worker knows of a delivery beside the job itself. */
export interface JobDeliveryFields {
  readonly job: QueuedJob;
  readonly connection: string;
  /** The cap that holds for this delivery: the push's, else the job's, else the worker's. */
  readonly maxAttempts: number;
  readonly signal: AbortSignal;
  extend(seconds: number): Promise<void>;
}

/**
 * The delivery that a handler serves; inject it into `handle()` or into a request-scoped provider (it is Nest's
 * REQUEST there).
 *
 * @publicApi
 */
export class JobDelivery {
  readonly id: string;
  /** The job's wire name. */
  readonly name: string;
  readonly queue: string;
  readonly connection: string;
  /** Which attempt this is, from 1. */
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly deferrals: number;
  readonly metadata: Readonly<Record<string, string>>;
  /** `metadata` under the name that strategies written for HTTP requests read. */
  readonly headers: Readonly<Record<string, string>>;
  readonly #fields: JobDeliveryFields;
  #pushedAt: Date | null = null;

  constructor(fields: JobDeliveryFields) {
    const { job } = fields;
    this.id = job.id;
    this.name = job.class;
    this.queue = job.queue;
    this.connection = fields.connection;
    this.attempts = job.attempts;
    this.maxAttempts = fields.maxAttempts;
    this.deferrals = job.deferrals;
    this.metadata = job.metadata;
    this.headers = job.metadata;
    this.#fields = fields;
  }

  /** When the job was pushed, by the pushing process's clock. */
  get pushedAt(): Date {
    return (this.#pushedAt ??= this.#fields.job.pushedAt);
  }

  /** Aborts when the delivery should end: its lease is lost, its time is over, or the worker is forced to stop. */
  get signal(): AbortSignal {
    // Read through, so that a worker makes a signal only for the handlers that look at it.
    return this.#fields.signal;
  }

  /** True when a throw now is final. Caps 0 and 1 both mean a single attempt. */
  get lastAttempt(): boolean {
    return this.attempts >= this.maxAttempts;
  }

  /**
   * The lease ends `seconds` from now. Resolves without effect where there is no lease. A worker that renews leases does
   * not cut short a longer one; a shorter one holds until its next renewal, when a third of it has passed.
   *
   * Errors: `StaleJobHandleException` where the delivery is settled or another worker's, `InvalidQueueArgumentException`,
   * those of the server.
   */
  extend(options: { readonly seconds: number }): Promise<void> {
    return this.#fields.extend(options.seconds);
  }
}
