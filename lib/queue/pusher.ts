import {
  InvalidQueueArgumentException,
  type NewJob,
  type PushDescription,
  PushManyException,
  type PushSpan,
  type QueueBackend,
  type StoreOutcome,
} from '../contract/index.js';
import type { JobDefinition, JobInstance } from '../jobs/index.js';
import { encodeStep } from './chain-steps.js';
import { checkPush, type CheckedPush, encodePush } from './prepare-push.js';
import type { PushOptions } from './push-options.js';
import type { PushTelemetry } from './push-telemetry.js';

/** Asked at each push for metadata that travels with every job: tenant, correlation id. */
export type CaptureMetadata = () => Readonly<Record<string, string>> | undefined;

/** What a bulk push may hold where all entries are stored in one step. */
export const MAX_PUSH_MANY_ENTRIES = 10_000;
export const MAX_PUSH_MANY_BYTES = 8 * 1_024 * 1_024;

/** One entry as `pushMany` takes it, its definition found. */
export interface DefinedPush {
  readonly job: JobInstance;
  readonly definition: JobDefinition;
  readonly options: Omit<PushOptions, 'transaction'>;
}

/** Checks, serializes and stores jobs on one backend. */
export class Pusher {
  readonly #backend: QueueBackend;
  readonly #connection: string;
  readonly #capture: CaptureMetadata | null;
  readonly #telemetry: PushTelemetry;

  constructor(
    backend: QueueBackend,
    connection: string,
    capture: CaptureMetadata | null,
    telemetry: PushTelemetry,
  ) {
    this.#backend = backend;
    this.#connection = connection;
    this.#capture = capture;
    this.#telemetry = telemetry;
  }

  async push(job: JobInstance, definition: JobDefinition, options: PushOptions): Promise<string | null> {
    const captured = this.#capture?.() ?? {};
    const checked = checkPush(job, definition, options, captured, this.#backend, 'push()');
    const span = this.#telemetry.start(this.#describe(checked));
    let outcomes: readonly StoreOutcome[] | null = null;
    try {
      outcomes = await this.#store([encodePush(checked, span)], options.transaction, span);
      const id = idOf(outcomes[0], checked);
      this.#telemetry.end(span, undefined, outcomes);
      return id;
    } catch (error) {
      this.#telemetry.end(span, error, outcomes);
      throw error;
    }
  }

  async pushMany(entries: readonly DefinedPush[], transaction: unknown): Promise<(string | null)[]> {
    const atomic = this.#backend.capabilities.atomicPushMany !== false;
    if (atomic && entries.length > MAX_PUSH_MANY_ENTRIES) {
      throw tooLarge(`${MAX_PUSH_MANY_ENTRIES} entries`, `${entries.length}`);
    }
    const captured = this.#capture?.() ?? {};
    const checked = entries.map((entry, index) => {
      const options = transaction === undefined ? entry.options : { ...entry.options, transaction };
      return checkPush(entry.job, entry.definition, options, captured, this.#backend, `pushMany()[${index}]`);
    });
    if (checked.length === 0) return [];
    const spans = this.#telemetry.startMany(() => checked.map((push) => this.#describe(push)));
    let outcomes: readonly StoreOutcome[] | null = null;
    try {
      const jobs = checked.map((push, index) => encodePush(push, spans.of(index)));
      if (atomic) refuseTooManyBytes(jobs);
      outcomes = await this.#store(jobs, transaction, spans.shared);
      const ids = idsOf(outcomes, checked);
      spans.end(undefined, outcomes);
      return ids;
    } catch (error) {
      spans.end(error, outcomes);
      throw error;
    }
  }

  /** Stores the first of several jobs; each of the others is stored when the one before it was acked. */
  async chain(entries: readonly DefinedPush[], transaction: unknown): Promise<string[]> {
    const captured = this.#capture?.() ?? {};
    const checked = entries.map((entry, index) => {
      const options = transaction === undefined ? entry.options : { ...entry.options, transaction };
      return checkPush(entry.job, entry.definition, options, captured, this.#backend, `chain()[${index}]`);
    });
    refuseUniqueSteps(checked);
    const [first, ...rest] = checked;
    if (first === undefined) {
      throw new InvalidQueueArgumentException('chain(): expected at least one job, came an empty list.');
    }
    const span = this.#telemetry.start(this.#describe(first));
    let outcomes: readonly StoreOutcome[] | null = null;
    try {
      const steps = rest.map((push, index) => encodeStep(push, entries[index + 1]?.options.metadata ?? {}));
      outcomes = await this.#store([encodePush(first, span, steps)], transaction, span);
      idOf(outcomes[0], first);
      this.#telemetry.end(span, undefined, outcomes);
      return checked.map((push) => push.id);
    } catch (error) {
      this.#telemetry.end(span, error, outcomes);
      throw error;
    }
  }

  #describe({ id, definition, queue }: CheckedPush): PushDescription {
    return { id, class: definition.name, queue, connection: this.#connection };
  }

  #store(
    jobs: readonly NewJob[],
    transaction: unknown,
    span: PushSpan | null,
  ): Promise<readonly StoreOutcome[]> {
    const options = transaction === undefined ? undefined : { transaction };
    if (span === null) return this.#backend.store(jobs, options);
    return this.#telemetry.within(span, async () => this.#backend.store(jobs, options));
  }
}

function idOf(outcome: StoreOutcome | undefined, push: CheckedPush): string | null {
  if (outcome === undefined) throw new TypeError('A backend answered fewer outcomes than jobs were stored.');
  if (outcome.status === 'applied') return push.id;
  if (outcome.status === 'duplicate') return null;
  throw outcome.error;
}

/** A step that a duplicate kept from being stored would break its chain unseen. */
function refuseUniqueSteps(pushes: readonly CheckedPush[]): void {
  const index = pushes.findIndex((push) => push.uniqueKey !== null);
  if (index < 0) return;
  throw new InvalidQueueArgumentException(
    `chain()[${index}]: uniqueKey: expected a step without a unique key, came ${pushes[index]?.definition.name} with one.`,
  );
}

function idsOf(outcomes: readonly StoreOutcome[], pushes: readonly CheckedPush[]): (string | null)[] {
  if (outcomes.some((outcome) => 'error' in outcome)) {
    throw new PushManyException(
      pushes.map((push) => push.id),
      outcomes,
    );
  }
  return pushes.map((push, index) => idOf(outcomes[index], push));
}

function refuseTooManyBytes(jobs: readonly NewJob[]): void {
  const bytes = jobs.reduce((sum, job) => sum + Buffer.byteLength(job.body), 0);
  if (bytes > MAX_PUSH_MANY_BYTES) throw tooLarge(`${MAX_PUSH_MANY_BYTES} bytes`, `${bytes}`);
}

function tooLarge(limit: string, came: string): InvalidQueueArgumentException {
  return new InvalidQueueArgumentException(
    `pushMany(): expected at most ${limit} in one step, came ${came}. Split the list; each call is one step.`,
  );
}
