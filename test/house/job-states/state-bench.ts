import type { NewJob, QueueBackend, Settlement } from '../../../lib/contract/index.js';
import type { AnyJobEvent, JobEventClass } from '../../../lib/events/index.js';
import * as told from '../../../lib/events/index.js';
import { QueueAdmin } from '../../../lib/queue/index.js';
import { openMemory, type OpenedMemory } from '../../support/conformance/memory-harness.js';
import { Job } from '../../../lib/jobs/index.js';
import { LabelledJob, WorkerBench } from '../../support/worker-bench.js';

/** One step that was taken, and the state of the only job around it. */
export interface Step {
  readonly operation: string | null;
  readonly from: string;
  readonly to: string;
}

/** Names as the table of transitions has them: a settlement is its operation. */
const MOVING =
  'store reserve settle clear removeJob promoteJob retryFailed retryAllFailed forgetFailed flushFailed'.split(
    ' ',
  );

/** One that waits between its attempts. */
export class PatientJob extends LabelledJob {}
Job({ args: ['label', 'secret'], backoff: 60 })(PatientJob);

/** A worker over the memory backend with one job, each step of which is noted. */
export class StateBench {
  readonly steps: Step[] = [];
  readonly bench: WorkerBench<QueueBackend>;
  readonly #opened: OpenedMemory;

  private constructor(opened: OpenedMemory) {
    this.#opened = opened;
    this.bench = new WorkerBench(this.#noting(opened.backend), [LabelledJob, PatientJob]);
  }

  static async open(): Promise<StateBench> {
    return new StateBench(await openMemory({ leaseSeconds: 90 }));
  }

  get admin(): QueueAdmin {
    return new QueueAdmin(this.bench.queue);
  }

  get events(): readonly AnyJobEvent[] {
    return this.bench.events;
  }

  /** Every event that there is. */
  static readonly eventClasses = Object.entries(told)
    .filter(([name]) => name.startsWith('Job') && name !== 'JobEvent')
    .map(([, value]) => value as JobEventClass);

  /** Where the only job is. */
  async state(): Promise<string> {
    const { ready, delayed, reserved, failed } = await this.#opened.backend.count('default');
    const [state] = Object.entries({ ready, delayed, reserved, failed }).filter(([, count]) => count !== 0);
    return state?.[0] ?? '–';
  }

  /** Lets time pass, which moves a job without being asked to. */
  async pass(seconds: number): Promise<void> {
    await this.#note(null, async () => this.#opened.advance?.(seconds));
  }

  /** Stores what no push would. */
  async storeRaw({ queue, header, body }: Pick<NewJob, 'queue' | 'header' | 'body'>): Promise<void> {
    await this.#opened.storeRaw?.({ queue, header: { ...header }, body });
  }

  #noting(backend: QueueBackend): QueueBackend {
    return new Proxy(backend, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        const method = value.bind(target) as (...args: unknown[]) => unknown;
        if (typeof name !== 'string' || !MOVING.includes(name)) return method;
        return (...args: unknown[]) => this.#note(operationOf(name, args), () => method(...args));
      },
    });
  }

  async #note<T>(operation: string | null, take: () => T): Promise<Awaited<T>> {
    const from = await this.state();
    const result = await take();
    this.steps.push({ operation, from, to: await this.state() });
    return result;
  }
}

function operationOf(method: string, [first]: readonly unknown[]): string {
  if (method !== 'settle') return method;
  const [settlement] = first as readonly Settlement[];
  return settlement?.operation ?? method;
}
