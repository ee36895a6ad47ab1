/**
 * The conformance suite: what a backend of one's own is held to.
 *
 * A harness opens the backend; `planConformance(harness)` divides the suite by what the backend's capabilities and the
 * harness's facilities allow. A case rejects with an `AssertionError` of `node:assert` when its promise is broken, so
 * any test runner runs it:
 *
 * ```ts
 * const { applicable, inapplicable } = planConformance(harness);
 * for (const { title, run } of applicable) test(title, () => run(harness));
 * for (const { title, unmet } of inapplicable) test(title, { skip: unmet.join(', ') });
 * ```
 *
 * What a store cannot do it says in its capabilities, and the suite asks for no more: a store without order, without
 * exact counts or without fences is held to the rest. Facilities that make trouble (`disconnect`, `silence`, `refuse`)
 * bring the cases that matter most for a broker.
 *
 * Without the facility `clock` the cases wait for short leases to end (some minutes one after the other; run them side by
 * side). docs/writing-a-backend.md says what each operation changes, and how to run this. Pin the
 * number of cases that ran, so that one which stops to apply is noticed.
 */
export * from './conformance/index.js';
export { testBackendContext } from './test-backend-context.js';

// For applications under test.
export { recordQueues, type RecordQueuesOptions, type TestingBuilder } from './recorded/record-queues.js';
export { type ChainedJob, RecordedQueues } from './recorded/recorded-queues.js';
export { PushedJobs } from './recorded/pushed-jobs.js';
export type { AnyJob, JobArguments, PushExpectation, PushMatch } from './recorded/push-match.js';
export type { RecordedPush } from './recorded/recorded-push.js';
export { runJob, type RunJobOptions } from './running/run-job.js';
export { drain, type DrainOptions } from './running/drain.js';
export type { JobOutcome } from './running/job-outcome.js';
export type { ApplicationUnderTest } from './running/application-of.js';
