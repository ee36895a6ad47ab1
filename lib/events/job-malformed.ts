import type { MalformedJobSettledException } from '../contract/index.js';

/**
 * An item that is no readable job was taken out of its queue.
 *
 * @publicApi
 */
export class JobMalformed {
  constructor(
    readonly queue: string,
    readonly connection: string,
    readonly worker: string,
    readonly error: MalformedJobSettledException,
  ) {}
}
