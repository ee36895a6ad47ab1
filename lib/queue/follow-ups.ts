import type { NewJob, PushSpan, QueuedJob, StoreOutcome } from '../contract/index.js';
import { followUpsOf } from './chain-steps.js';
import type { PushTelemetry } from './push-telemetry.js';

/** What the ack of a delivery stores, and the span of that push. */
export interface FollowUps {
  readonly jobs: readonly NewJob[];
  /** They were stored; or, with an error, were certainly not (`refused`) or nobody knows. The first call counts. */
  end(error?: unknown, status?: 'refused' | 'unknown'): void;
}

export const NO_FOLLOW_UPS: FollowUps = { jobs: [], end: () => undefined };

/** Makes the follow-ups of deliveries: the next job of a chain is pushed by the delivery before it. */
export class FollowUpPushes {
  readonly #telemetry: PushTelemetry;
  readonly #connection: string;

  constructor(telemetry: PushTelemetry, connection: string) {
    this.#telemetry = telemetry;
    this.#connection = connection;
  }

  /** To be called within the delivery's own context. Whoever calls it has to see to their end. */
  of(job: QueuedJob): FollowUps {
    const [step] = job.body.chain;
    if (step === undefined) return NO_FOLLOW_UPS;
    const { id, queue } = step;
    const span = this.#telemetry.start({ id, class: step.class, queue, connection: this.#connection });
    return { jobs: followUpsOf(job, span), end: this.#ender(span) };
  }

  #ender(span: PushSpan | null): FollowUps['end'] {
    let ended = span === null;
    return (error, status = 'unknown') => {
      if (ended) return;
      ended = true;
      const outcome: StoreOutcome =
        error === undefined ? { status: 'applied' } : { status, error: asError(error) };
      this.#telemetry.end(span, error, [outcome]);
    };
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('What was thrown is no error.');
}
