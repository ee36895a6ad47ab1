import { assertMaxAttempts, assertPriority, assertQueueName } from './checks.js';
import { InvalidQueueArgumentException } from './exceptions/invalid-queue-argument.exception.js';
import type { JobBody, WireValue } from './job-body.js';
import type { JobHeader } from './job-header.js';
import type { Receipt } from './settlement.js';

/** What a `QueuedJob` is made of. */
export interface QueuedJobFields {
  readonly queue: string;
  readonly handle: Receipt;
  readonly header: JobHeader;
  readonly body: JobBody;
  readonly leaseSeconds: number | null;
  readonly lost?: AbortSignal | undefined;
}

/**
 * One delivery of a job: its decoded envelope and the receipt that settles it. The same job delivered again is another
 * `QueuedJob` with another `handle`.
 *
 * @publicApi
 */
export class QueuedJob {
  readonly queue: string;
  /** The receipt of this delivery; opaque. */
  readonly handle: Receipt;
  readonly header: JobHeader;
  readonly body: JobBody;
  /** Length of this delivery's lease in seconds, null where there are no leases. */
  readonly leaseSeconds: number | null;
  /** Aborts when the delivery is lost with the channel that it came by; null where it outlives its connection. */
  readonly lost: AbortSignal | null;

  constructor(fields: QueuedJobFields) {
    assertQueueName(fields.queue, 'QueuedJob: queue');
    assertMaxAttempts(fields.body.maxAttempts, 'QueuedJob: maxAttempts');
    assertPriority(fields.header.priority, 'QueuedJob: priority');
    if (!Number.isSafeInteger(fields.header.attempts) || fields.header.attempts < 0) {
      throw new InvalidQueueArgumentException('QueuedJob: expected attempts to be an integer of 0 or more.');
    }
    this.queue = fields.queue;
    this.handle = fields.handle;
    this.header = fields.header;
    this.body = fields.body;
    this.leaseSeconds = fields.leaseSeconds;
    this.lost = fields.lost ?? null;
  }

  get id(): string {
    return this.body.id;
  }

  /** The job's wire name. */
  get class(): string {
    return this.body.class;
  }

  get args(): { readonly [name: string]: WireValue } {
    return this.body.args;
  }

  /** Which attempt this delivery is, from 1. */
  get attempts(): number {
    return this.header.attempts + 1;
  }

  get maxAttempts(): number | null {
    return this.body.maxAttempts;
  }

  get priority(): number {
    return this.header.priority;
  }

  get deferrals(): number {
    return this.header.deferrals;
  }

  /** When the job was pushed, by the pushing process's clock. */
  get pushedAt(): Date {
    return new Date(this.body.pushedAt);
  }

  get metadata(): { readonly [key: string]: string } {
    return this.body.metadata;
  }
}
