import type { StoreOutcome } from '../store.js';
import { QueueException } from './queue.exception.js';

/**
 * A bulk push in which not every entry was stored. `outcomes` answers for each entry, in the order they were given:
 * `applied`, `duplicate` and `refused` are certain, `unknown` is not.
 *
 * @publicApi
 */
export class PushManyException extends QueueException {
  readonly code = 'PUSH_MANY';

  constructor(
    readonly ids: readonly string[],
    readonly outcomes: readonly StoreOutcome[],
  ) {
    const count = (status: StoreOutcome['status']): number =>
      outcomes.filter((outcome) => outcome.status === status).length;
    super(
      `Expected all ${outcomes.length} jobs to be stored; ${count('applied')} were, ${count('refused')} were refused, ` +
        `and of ${count('unknown')} it is unknown. Push again only those that were refused; see "outcomes".`,
      { cause: outcomes.find((outcome) => 'error' in outcome)?.error },
    );
  }
}
