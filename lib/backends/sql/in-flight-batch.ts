import { atTurnEnd } from '../../contract/turn-end.js';

/** A request on its way into a batch. Two requests with one key never share a batch. */
interface Waiting<Request, Outcome> {
  readonly request: Request;
  readonly keys: readonly string[];
  readonly size: number;
  readonly deadline: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Requests that were taken out of the line, for a step that carries them out by the way. */
export interface Taken<Request, Outcome> {
  readonly requests: readonly Request[];
  answer(outcomes: readonly Outcome[]): void;
  /** The step failed. Where that may be the fault of what else it did, and nothing was applied, they go alone. */
  fail(error: unknown): void;
}

export interface InFlightBatchOptions<Request, Outcome> {
  /** Most entries of a batch; a single larger request goes alone. */
  readonly maxSize: number;
  /** How long a request may wait for a connection, in milliseconds, its time in line counted. */
  readonly acquireTimeoutMs: number;
  readonly keysOf: (request: Request) => readonly string[];
  readonly sizeOf: (request: Request) => number;
  /** True for a request that another step can carry out by the way. */
  readonly mayBeTaken: (request: Request) => boolean;
  /** Runs requests in one step, all or none; answers in order. */
  readonly run: (requests: readonly Request[], acquireTimeoutMs: number) => Promise<readonly Outcome[]>;
  /** True when the error says that the batch never got a connection. */
  readonly neverRan: (error: unknown) => boolean;
  /** True when the error may be one request's own fault and nothing was applied: each is then tried alone. */
  readonly mayBeOnesFault: (error: unknown) => boolean;
}

/** The shortest wait for a connection that a batch is given, though its oldest request has waited its time in line. */
const LEAST_ACQUIRE_MS = 20;

/**
 * Makes one step of the requests that come in one turn of the event loop, or while another step is in flight. Nothing is
 * held back by a timer.
 */
export class InFlightBatch<Request, Outcome> {
  private waiting: Waiting<Request, Outcome>[] = [];
  private running = false;
  private starting = false;
  private holds = 0;

  constructor(private readonly options: InFlightBatchOptions<Request, Outcome>) {}

  /** Adds requests that came together, in order. */
  add(requests: readonly Request[]): Promise<Outcome>[] {
    const outcomes = requests.map((request) => this.enqueue(request));
    this.startIfFree();
    return outcomes;
  }

  /**
   * Lets requests that may be taken wait for a step behind which another is likely to take them: until what this answers
   * is called, or for `longestMs`.
   */
  hold(longestMs: number): () => void {
    this.holds += 1;
    let isHeld = true;
    const release = (): void => {
      clearTimeout(timer);
      if (!isHeld) return;
      isHeld = false;
      this.holds -= 1;
      this.startIfFree();
    };
    const timer = setTimeout(release, longestMs);
    return release;
  }

  /** Those that wait and may be taken, as many as a step takes; null where there are none. */
  take(): Taken<Request, Outcome> | null {
    const batch = this.takeBatch(this.options.mayBeTaken);
    if (batch.length === 0) return null;
    return {
      requests: batch.map(({ request }) => request),
      answer: (outcomes) => answer(batch, outcomes),
      fail: (error) => {
        const { neverRan, mayBeOnesFault } = this.options;
        if (neverRan(error) || mayBeOnesFault(error)) this.backInLine(batch, error);
        else for (const { reject } of batch) reject(error);
        this.startIfFree();
      },
    };
  }

  private startIfFree(): void {
    if (this.running || this.starting || this.waiting.length === 0) return;
    this.starting = true;
    atTurnEnd(() => {
      this.starting = false;
      if (!this.isHeld()) void this.drain();
    });
  }

  /** Whether all that wait are taken along by another step; what is not would wait for as long as one follows another. */
  private isHeld(): boolean {
    return this.holds > 0 && this.waiting.every(({ request }) => this.options.mayBeTaken(request));
  }

  private enqueue(request: Request): Promise<Outcome> {
    const keys = this.options.keysOf(request);
    const size = this.options.sizeOf(request);
    const deadline = Date.now() + this.options.acquireTimeoutMs;
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, keys, size, deadline, resolve, reject });
    });
  }

  private async drain(): Promise<void> {
    this.running = true;
    while (this.waiting.length > 0) await this.runBatch(this.takeBatch());
    this.running = false;
  }

  /** In order. What stays behind keeps those behind it that share a key, and where all may come, all behind it. */
  private takeBatch(mayCome?: (request: Request) => boolean): Waiting<Request, Outcome>[] {
    const keys = new Set<string>();
    const batch: Waiting<Request, Outcome>[] = [];
    const left: Waiting<Request, Outcome>[] = [];
    let size = 0;
    let isFull = false;
    for (const entry of this.waiting) {
      isFull ||= batch.length > 0 && size + entry.size > this.options.maxSize;
      const isNext = mayCome === undefined ? left.length === 0 : mayCome(entry.request);
      const comes = isNext && !isFull && !entry.keys.some((key) => keys.has(key));
      for (const key of entry.keys) keys.add(key);
      if (comes) {
        batch.push(entry);
        size += entry.size;
      } else left.push(entry);
    }
    this.waiting = left;
    return batch;
  }

  private async runBatch(batch: readonly Waiting<Request, Outcome>[]): Promise<void> {
    const oldest = Math.min(...batch.map((entry) => entry.deadline));
    const timeoutMs = Math.max(LEAST_ACQUIRE_MS, oldest - Date.now());
    try {
      const outcomes = await this.options.run(
        batch.map((entry) => entry.request),
        timeoutMs,
      );
      answer(batch, outcomes);
    } catch (error) {
      await this.afterFailure(batch, error);
    }
  }

  private async afterFailure(batch: readonly Waiting<Request, Outcome>[], error: unknown): Promise<void> {
    if (this.options.neverRan(error)) this.backInLine(batch, error);
    else if (batch.length > 1 && this.options.mayBeOnesFault(error)) {
      for (const entry of batch) await this.runBatch([entry]);
    } else {
      for (const entry of batch) entry.reject(error);
    }
  }

  /** Those whose time is not over go to the front. */
  private backInLine(batch: readonly Waiting<Request, Outcome>[], error: unknown): void {
    const now = Date.now();
    this.waiting.unshift(...batch.filter((entry) => entry.deadline > now));
    for (const entry of batch) if (entry.deadline <= now) entry.reject(error);
  }
}

function answer<Outcome>(batch: readonly Waiting<unknown, Outcome>[], outcomes: readonly Outcome[]): void {
  for (const [index, entry] of batch.entries()) entry.resolve(outcomes[index] as Outcome);
}
