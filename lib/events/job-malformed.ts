import type { FailureCause, MalformedJobSettledException } from '../contract/index.js';

/**
 * An item that is no readable job came out of a queue; `error.disposition` says what became of its bytes. Belongs to no
 * delivery, so that only providers of the default scope are told.
 *
 * @publicApi
 */
export class JobMalformed {
  readonly cause: FailureCause = 'undecodable';

  constructor(
    readonly queue: string,
    readonly connection: string,
    readonly worker: string,
    readonly error: MalformedJobSettledException,
  ) {}
}
