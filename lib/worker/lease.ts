import { LeaseLostException, type QueuedJob, StaleJobHandleException } from '../contract/index.js';

/** Sets the end of a delivery's lease, in seconds from now. */
export type ExtendLease = (job: QueuedJob, seconds: number) => Promise<void>;

/** Renewed when this much of the lease has passed. */
const RENEW_AFTER = 1 / 3;
/** How soon a renewal that failed is tried again, as a share of the lease, and at the latest. */
const RETRY_AFTER = 1 / 10;
const LONGEST_RETRY_MS = 5_000;

export interface LeaseParts {
  readonly job: QueuedJob;
  readonly lengthMs: number;
  /** When the reserve was sent, by `performance.now()`: the lease may have begun then. */
  readonly reservedAt: number;
  readonly extend: ExtendLease;
  /** Called once, when the lease may be somebody else's. */
  readonly lost: (reason: LeaseLostException) => void;
  /** A renewal that was not applied, and is tried again. */
  readonly failed: (error: unknown) => void;
  /** Something is due at another time than before. */
  readonly rescheduled: () => void;
}

/**
 * The lease of one running delivery. Renewals and the handler's own extends go out one at a time, so that none overtakes
 * another, and none is under way once `end()` has resolved.
 */
export class Lease {
  readonly #parts: LeaseParts;
  /** When the lease ends at the soonest, as far as this process can know. */
  #endsAt: number;
  #renewAt: number;
  #sending: Promise<void> | null = null;
  #over = false;
  #lost = false;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    this.#endsAt = parts.reservedAt + parts.lengthMs;
    this.#renewAt = parts.reservedAt + parts.lengthMs * RENEW_AFTER;
  }

  get lengthMs(): number {
    return this.#parts.lengthMs;
  }

  /** When there is something to do: a renewal where `renews`, or saying that the lease is lost. */
  dueAt(renews: boolean): number {
    if (this.#over) return Infinity;
    const renewAt = renews && this.#sending === null ? this.#renewAt : Infinity;
    return this.#lost ? renewAt : Math.min(renewAt, this.#endsAt);
  }

  /** Does what is due. A lost lease is still renewed: as long as nobody took the job, that keeps others from it. */
  check(now: number, renews: boolean): void {
    if (this.#over) return;
    if (now >= this.#endsAt) this.#lose('no renewal was answered for a full lease');
    if (renews && this.#sending === null && now >= this.#renewAt) this.#renew();
  }

  /**
   * The handler's own extend: the lease ends `seconds` from now. A longer one than the lease's length holds: it is
   * renewed only when what is left of it is less than a renewal would give. A shorter one holds until the renewal, which
   * comes after a third of it.
   */
  async extend(seconds: number): Promise<void> {
    while (this.#sending !== null) await this.#sending;
    if (this.#over) {
      const { job } = this.#parts;
      throw new StaleJobHandleException('extend', job.queue, job.id);
    }
    await this.#send(seconds);
  }

  /** No extend goes out any more. What it answers resolves when none is under way; null: none is. */
  end(): Promise<void> | null {
    this.#over = true;
    return this.#sending;
  }

  #renew(): void {
    this.#send(this.#parts.lengthMs / 1_000).catch((error: unknown) => {
      if (!this.#over && !(error instanceof StaleJobHandleException)) this.#parts.failed(error);
    });
  }

  async #send(seconds: number): Promise<void> {
    const sentAt = performance.now();
    const endsAt = sentAt + seconds * 1_000;
    const sending = this.#parts.extend(this.#parts.job, seconds);
    this.#sending = sending.then(noop, noop);
    try {
      await sending;
      this.#endsAt = endsAt;
      this.#renewAt = this.#renewalOf(sentAt, endsAt);
    } catch (error) {
      // It may have been applied all the same.
      this.#endsAt = Math.min(this.#endsAt, endsAt);
      this.#renewAt = performance.now() + Math.min(this.lengthMs * RETRY_AFTER, LONGEST_RETRY_MS);
      if (error instanceof StaleJobHandleException) this.#stale(error);
      throw error;
    } finally {
      this.#sending = null;
      if (!this.#over) this.#parts.rescheduled();
    }
  }

  /** Never so soon that it would cut short what an extend gave. */
  #renewalOf(sentAt: number, endsAt: number): number {
    const third = sentAt + (endsAt - sentAt) * RENEW_AFTER;
    return Math.max(third, endsAt - this.lengthMs * (1 - RENEW_AFTER));
  }

  #stale(stale: StaleJobHandleException): void {
    this.#renewAt = Infinity;
    this.#lose('the backend answered that the delivery is no longer current', stale);
  }

  #lose(why: string, cause?: StaleJobHandleException): void {
    if (this.#lost || this.#over) return;
    this.#lost = true;
    const { job, lost } = this.#parts;
    lost(
      new LeaseLostException(
        `Job ${job.class} (${job.id}) on queue "${job.queue}": expected to hold its lease while it runs, but it is lost: ` +
          `${why}. Another worker may run it: end the work, and give such jobs a longer leaseSeconds.`,
        { cause },
      ),
    );
  }
}

function noop(): void {}
