import { setTimeout as pause } from 'node:timers/promises';
import type { RabbitMqBackend } from '../../lib/backends/rabbitmq/rabbitmq.backend.js';
import { type AnyJobEvent, JobSucceeded } from '../../lib/events/index.js';
import type { PushOptions } from '../../lib/queue/index.js';
import type { WorkerResult } from '../../lib/worker/index.js';
import { waitFor } from './eventually.js';
import { queueOver } from './server-queue.js';
import { LabelledJob, WorkerBench } from './worker-bench.js';

const PUSHERS = 5;
const PAUSE_MS = 5;

/** Pushes over one backend and works over another, as two processes would, and keeps account of both. */
export class RabbitMqLoad {
  readonly bench: WorkerBench<RabbitMqBackend>;
  /** Ids of the jobs whose push resolved. */
  readonly accepted = new Set<string>();
  /** Ids of the jobs whose success was told, and how often. */
  readonly done = new Map<string, number>();
  /** Pushes that rejected. */
  rejected = 0;
  readonly #pushing = new AbortController();
  readonly #queues: readonly string[];
  readonly #result: Promise<WorkerResult>;
  readonly #stop: () => void;
  #pushers: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly pusher: RabbitMqBackend,
    workerBackend: RabbitMqBackend,
    queues: readonly string[],
  ) {
    this.#queues = queues;
    this.bench = new WorkerBench(workerBackend);
    this.bench.listener = (event: AnyJobEvent) => {
      if (event instanceof JobSucceeded) this.done.set(event.id, (this.done.get(event.id) ?? 0) + 1);
    };
    const worker = this.bench.worker({ queues, concurrency: 5 }, [JobSucceeded]);
    this.#stop = () => worker.stop();
    this.#result = worker.run();
  }

  /** Pushes until `finish()`; what rejects is counted, whatever it is. */
  push(options: PushOptions = {}): void {
    const queue = queueOver(this.pusher);
    const one = async (): Promise<void> => {
      for (let n = 0; !this.#pushing.signal.aborted; n += 1) {
        const name = this.#queues[n % this.#queues.length] as string;
        try {
          const id = await queue.push(new LabelledJob('load'), { queue: name, ...options });
          if (id !== null) this.accepted.add(id);
        } catch {
          this.rejected += 1;
        }
        await pause(PAUSE_MS);
      }
    };
    this.#pushers = Promise.all(Array.from({ length: PUSHERS }, one));
  }

  /** Resolves when the worker has done so many jobs more. */
  async progress(jobs: number, deadlineMs = 30_000): Promise<void> {
    const goal = this.done.size + jobs;
    await waitFor(`${jobs} jobs more to be done`, () => this.done.size >= goal, deadlineMs);
  }

  /** Ends the pushes, waits for the end of all that was accepted, and stops the worker. */
  async finish(): Promise<WorkerResult> {
    this.#pushing.abort();
    await this.#pushers;
    await waitFor('every accepted job to be done', () => this.lost.length === 0).finally(() => this.#stop());
    return this.#result;
  }

  /** Accepted, and not done so far. */
  get lost(): readonly string[] {
    return [...this.accepted].filter((id) => !this.done.has(id));
  }
}
