import type { ClearingBackend, FailedJobsBackend, NewJob } from '../../contract/index.js';
import type { JobDefinition } from '../../jobs/index.js';
import { type RecordedPush, recordedPushOf } from './recorded-push.js';

/** What a test wants emptied: a store that can list, clear and forget, as the recorded ones can. */
export type EmptiableStore = ClearingBackend & FailedJobsBackend & { queues(): Promise<readonly string[]> };

/** What one application under test has pushed, on all its connections, in order. */
export class PushRecord {
  readonly #pushes: RecordedPush[] = [];
  readonly #definitions = new Map<string, JobDefinition>();
  readonly #stores: EmptiableStore[] = [];
  #nowMs = Date.now();

  /** Time stands still for recorded queues, so that no delay ends behind a test's back. */
  readonly clock = { now: (): number => this.#nowMs };

  get pushes(): readonly RecordedPush[] {
    return this.#pushes;
  }

  /** The class behind a wire name that was pushed, null for any other. */
  definitionOf(wireName: string): JobDefinition | null {
    return this.#definitions.get(wireName) ?? null;
  }

  /** Every class that is pushed is known by then: for its arguments are redacted by it. */
  know(definition: JobDefinition): void {
    this.#definitions.set(definition.name, definition);
  }

  add(connection: string, job: NewJob, followUp: boolean): void {
    this.#pushes.push(recordedPushOf(connection, job, followUp));
  }

  keep(store: EmptiableStore): void {
    this.#stores.push(store);
  }

  /** Never back: a job that was due stays due. */
  advanceTo(timeMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, timeMs);
  }

  /** Forgets what was pushed, and empties the queues and the failed stores. */
  async clear(): Promise<void> {
    this.#pushes.length = 0;
    for (const store of this.#stores) {
      for (const queue of await store.queues()) await store.clear(queue);
      await store.flushFailed();
    }
  }
}
