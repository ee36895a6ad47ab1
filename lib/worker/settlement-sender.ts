import {
  type QueuedJob,
  QueueServerException,
  ServerRefused,
  StaleJobHandleException,
} from '../contract/index.js';
import { type FollowUps, NO_FOLLOW_UPS, type Settler } from '../queue/index.js';
import { pause } from './pause.js';
import type { Transition } from './transition.js';

/** What the backend made of a settlement. */
export type Settled =
  | { readonly status: 'applied' }
  | { readonly status: 'stale'; readonly stale: StaleJobHandleException }
  | { readonly status: 'unknown'; readonly failure: QueueServerException };

export const APPLIED: Settled = { status: 'applied' };
/** How often a settlement that the server refused is sent again. */
const MAX_REPEATS = 3;
const FIRST_PAUSE_MS = 50;

/** Sends the one settlement of a delivery. */
export class SettlementSender {
  readonly #settler: Settler;
  readonly #hasLeases: boolean;

  constructor(settler: Settler, hasLeases: boolean) {
    this.#settler = settler;
    this.#hasLeases = hasLeases;
  }

  /**
   * `secrets` stay out of what is kept of an error; an ack stores `followUps`; `refused` is called before a settlement
   * is sent again. Rejects only with what is no trouble of the
   * server: a defect, which stops the worker.
   */
  async send(
    job: QueuedJob,
    transition: Transition,
    secrets: readonly string[] = [],
    followUps: FollowUps = NO_FOLLOW_UPS,
    refused: () => void = () => undefined,
  ): Promise<Settled> {
    for (let repeats = 0; ; repeats += 1) {
      try {
        await this.#once(job, transition, secrets, followUps);
        return APPLIED;
      } catch (error) {
        if (error instanceof StaleJobHandleException) return { status: 'stale', stale: error };
        if (!(error instanceof QueueServerException)) throw error;
        // A refused settlement was certainly not applied, so that the same one may be sent again. Any other may have
        // been: sending it twice could settle a later delivery where the backend has no fence.
        if (!(error instanceof ServerRefused) || repeats === MAX_REPEATS) {
          await this.#letGo(job);
          return { status: 'unknown', failure: error };
        }
      }
      refused();
      await pause(FIRST_PAUSE_MS * 2 ** repeats * (0.5 + Math.random() / 2));
    }
  }

  /**
   * Without a lease nothing ends a delivery while this worker is connected, and nobody will settle it any more: where what
   * follows it could not be stored, the backend was not even asked. Where it was, it answers stale.
   */
  async #letGo(job: QueuedJob): Promise<void> {
    if (this.#hasLeases) return;
    try {
      await this.#settler.giveBack(job);
    } catch (error) {
      if (!(error instanceof StaleJobHandleException || error instanceof QueueServerException)) throw error;
    }
  }

  #once(
    job: QueuedJob,
    transition: Transition,
    secrets: readonly string[],
    followUps: FollowUps,
  ): Promise<void> {
    switch (transition.operation) {
      case 'ack':
        return this.#settler.ack(job, followUps.jobs, followUps.end);
      case 'release':
        return this.#settler.release(job, transition);
      case 'defer':
        return this.#settler.defer(job, transition);
      case 'fail':
        return this.#settler.fail(job, transition.error, transition.cause, secrets);
      case 'postpone': {
        const { delaySeconds, graceRounds } = transition;
        return this.#settler.giveBack(job, { delaySeconds }, { graceRounds });
      }
      case 'give-back':
        return this.#settler.giveBack(job);
    }
  }
}
