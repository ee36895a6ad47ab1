import {
  type NewJob,
  type PushSpan,
  type QueuedJob,
  StaleJobHandleException,
  type StoreOutcome,
} from '../contract/index.js';
import { followUpsOf } from './chain-steps.js';
import type { PushTelemetry } from './push-telemetry.js';

/** What the ack of a delivery stores, and the span of that push. */
export interface FollowUps {
  readonly jobs: readonly NewJob[];
  /** They were stored, or were not, with an error. The first call counts. */
  end(error?: unknown): void;
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

  #ender(span: PushSpan | null): (error?: unknown) => void {
    let ended = span === null;
    return (error) => {
      if (ended) return;
      ended = true;
      this.#telemetry.end(span, error, outcomesOf(error));
    };
  }
}

/** A stale ack has stored nothing, for certain; after any other error nobody knows. */
function outcomesOf(error: unknown): readonly StoreOutcome[] | null {
  if (error === undefined) return [{ status: 'applied' }];
  return error instanceof StaleJobHandleException ? [{ status: 'refused', error }] : null;
}
