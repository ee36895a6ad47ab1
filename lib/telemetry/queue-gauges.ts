import { type BatchObservableResult, diag } from '@opentelemetry/api';
import type { ObservedConnection, QueueCounts, StopObserving } from '../contract/index.js';
import { CONNECTION, DESTINATION_NAME, MESSAGING_SYSTEM, SYSTEM } from './attributes.js';
import { errorTypeOf } from './error-type.js';
import type { Instruments } from './instruments.js';

/** Longest wait for the answers of one collection: whatever a server does, the others' metrics are exported. */
const LONGEST_MS = 5_000;

/** How many observe a queue. */
type Observers = Map<string, number>;

/** Measures queues by asking for their counts when metrics are collected. */
export class QueueGauges {
  readonly #instruments: () => Instruments;
  readonly #longestMs: number;
  readonly #observed = new Map<ObservedConnection, Observers>();
  /** Still being asked, since an earlier collection: not asked once more. */
  readonly #busy = new Set<ObservedConnection>();
  #stop: StopObserving | null = null;

  constructor(instruments: () => Instruments, longestMs = LONGEST_MS) {
    this.#instruments = instruments;
    this.#longestMs = longestMs;
  }

  /** A queue that is observed twice, by its worker and by an option, is asked for once. */
  observe(connection: ObservedConnection, queues: readonly string[]): StopObserving {
    this.#stop ??= this.#instruments().observeQueues((result) => this.#collect(result));
    for (const queue of queues) this.#count(connection, queue, 1);
    let stopped = false;
    return () => {
      if (stopped) return;
      stopped = true;
      for (const queue of queues) this.#count(connection, queue, -1);
    };
  }

  #count(connection: ObservedConnection, queue: string, change: 1 | -1): void {
    const observers: Observers = this.#observed.get(connection) ?? new Map<string, number>();
    const left = (observers.get(queue) ?? 0) + change;
    if (left > 0) observers.set(queue, left);
    else observers.delete(queue);
    if (observers.size > 0) this.#observed.set(connection, observers);
    else this.#observed.delete(connection);
    if (this.#observed.size > 0) return;
    this.#stop?.();
    this.#stop = null;
  }

  async #collect(result: BatchObservableResult): Promise<void> {
    const asking = [...this.#observed].map(([connection, observers]) =>
      this.#ask(connection, [...observers.keys()], result),
    );
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, this.#longestMs)));
    timer?.unref();
    await Promise.race([Promise.all(asking), late]);
    clearTimeout(timer);
  }

  /** One queue after the other: jobs have more need of the connections than metrics. */
  async #ask(
    connection: ObservedConnection,
    queues: readonly string[],
    result: BatchObservableResult,
  ): Promise<void> {
    if (this.#busy.has(connection)) return;
    this.#busy.add(connection);
    try {
      for (const queue of queues) {
        if (!this.#observed.has(connection)) return;
        this.#record(connection.name, queue, await connection.counts(queue), result);
      }
    } catch (error) {
      diag.warn(`Queues of the connection "${connection.name}" were not measured: ${errorTypeOf(error)}.`);
    } finally {
      this.#busy.delete(connection);
    }
  }

  #record(
    connection: string,
    queue: string,
    { ready, oldestReadySeconds }: QueueCounts,
    result: BatchObservableResult,
  ): void {
    const { waiting, oldest } = this.#instruments();
    const attributes = {
      [MESSAGING_SYSTEM]: SYSTEM,
      [DESTINATION_NAME]: queue,
      [CONNECTION]: connection,
    };
    result.observe(waiting, ready, attributes);
    // Of jobs whose age the backend cannot know nothing is said: 0 would be taken for an age.
    const age = ready === 0 ? 0 : oldestReadySeconds;
    if (age !== null) result.observe(oldest, age, attributes);
  }
}
