import { AssertionError } from 'node:assert';
import { type JobDefinition, rebuildJob } from '../../jobs/index.js';
import { describeMatch, describePushes } from './describe-push.js';
import { type AnyJob, type PushMatch, type PushTest, testOf } from './push-match.js';
import type { PushRecord } from './push-record.js';
import type { RecordedPush } from './recorded-push.js';

/** Some of the pushes of a record, and how they were chosen. */
export interface Selection {
  readonly record: PushRecord;
  readonly pushes: readonly RecordedPush[];
  /** The class that all of them have, null where they have several. */
  readonly target: JobDefinition | null;
  /** In words: "SendWelcomeEmail with priority 5". */
  readonly title: string;
}

/**
 * Pushes that an assertion has found, at least one. Each further step keeps those that fit, and throws an
 * `AssertionError` of node:assert when none does.
 *
 * @publicApi
 */
export class PushedJobs<J = AnyJob> {
  readonly #selection: Selection;

  constructor(selection: Selection) {
    this.#selection = selection;
  }

  /** As they travel, in the order in which they were pushed. */
  get pushes(): readonly RecordedPush[] {
    return this.#selection.pushes;
  }

  /** As a worker would rebuild them. Throws `JobReconstructionException` where it could not. */
  get jobs(): readonly J[] {
    const { record, pushes } = this.#selection;
    return pushes.map((push) => rebuildJob(record.definitionOf(push.job) as JobDefinition, push.args) as J);
  }

  /** Those on a queue. */
  pushedOn(queue: string): PushedJobs<J> {
    const found = this.#selection.pushes.filter((push) => push.queue === queue);
    return this.#narrowed(found, ` on "${queue}"`, this.pushedOn);
  }

  /** Those that look like this. */
  with(match: PushMatch<J>): PushedJobs<J> {
    const { target } = this.#selection;
    const found = accepted(this.#selection, testOf(match, target, 'with()'));
    return this.#narrowed(found, describeMatch(match, target), this.with);
  }

  /** Exactly so many are left. */
  times(count: number): PushedJobs<J> {
    const { pushes, title } = this.#selection;
    if (pushes.length === count) return this;
    throw unmet(`${count} of ${title}, came ${pushes.length}`, this.#selection, this.times);
  }

  #narrowed(pushes: readonly RecordedPush[], words: string, caller: (...args: never[]) => unknown) {
    const title = this.#selection.title + words;
    if (pushes.length === 0) throw unmet(`${title}, came none`, this.#selection, caller);
    return new PushedJobs<J>({ ...this.#selection, pushes, title });
  }
}

/** The pushes of a selection that a test accepts. */
export function accepted({ record, pushes }: Selection, test: PushTest): readonly RecordedPush[] {
  return pushes.filter((push) => test(push, record.definitionOf(push.job) as JobDefinition));
}

/** `caller` and what it called are left out of the stack, so that a runner shows the line of the test. */
export function unmet(
  expectation: string,
  { record, pushes }: Pick<Selection, 'record' | 'pushes'>,
  caller: (...args: never[]) => unknown,
): AssertionError {
  return new AssertionError({
    message: `Expected a push of ${expectation}.\n${describePushes(pushes, record)}`,
    stackStartFn: caller as () => void,
  });
}
