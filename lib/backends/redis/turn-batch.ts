import { atTurnEnd } from '../../contract/turn-end.js';

/** Entries that were taken out of a batch, for another step to answer. */
export interface Taken<Entry, Outcome> {
  readonly entries: readonly Entry[];
  answer(outcomes: readonly Outcome[]): void;
  /** They become a step of their own after all. */
  runAlone(): void;
}

interface Waiting<Entry, Outcome> {
  readonly entries: readonly Entry[];
  readonly resolve: (outcomes: readonly Outcome[]) => void;
  readonly reject: (error: unknown) => void;
}

export interface TurnBatchOptions<Entry, Outcome> {
  /** Most that a step takes, by `weightOf`, unless those that came together are more. */
  readonly maxWeight: number;
  readonly weightOf: (entry: Entry) => number;
  /** Runs entries of one queue in one step; answers in order. */
  readonly run: (queue: string, entries: readonly Entry[]) => Promise<readonly Outcome[]>;
}

/**
 * Makes one step of what comes for one queue before the process turns to the next event: a hundred jobs that end together
 * cost one round trip. Nothing waits for a timer or for an answer.
 */
export class TurnBatch<Entry, Outcome> {
  private waiting = new Map<string, Waiting<Entry, Outcome>[]>();

  constructor(private readonly options: TurnBatchOptions<Entry, Outcome>) {}

  /** Adds entries that came together, and stay together. */
  add(queue: string, entries: readonly Entry[]): Promise<readonly Outcome[]> {
    return new Promise((resolve, reject) => {
      // A worker's next reserve goes first, and takes along what it can.
      if (this.waiting.size === 0) atTurnEnd(() => this.send());
      const waiting = this.waiting.get(queue);
      if (waiting === undefined) this.waiting.set(queue, [{ entries, resolve, reject }]);
      else waiting.push({ entries, resolve, reject });
    });
  }

  /** What waits for a queue, where all of it fits another step that is about to be sent; else null. */
  take(queue: string, fits: (entry: Entry) => boolean): Taken<Entry, Outcome> | null {
    const waiting = this.waiting.get(queue);
    const [step, ...more] = waiting === undefined ? [] : this.stepsOf(waiting);
    if (step === undefined || more.length > 0) return null;
    const entries = step.flatMap((one) => one.entries);
    if (!entries.every(fits)) return null;
    this.waiting.delete(queue);
    return {
      entries,
      answer: (outcomes) => share(step, outcomes),
      runAlone: () => void this.runStep(queue, step),
    };
  }

  /** Sends what has come by now, before something that has to come after it. */
  send(): void {
    const { waiting } = this;
    if (waiting.size === 0) return;
    this.waiting = new Map();
    for (const [queue, all] of waiting) {
      for (const step of this.stepsOf(all)) void this.runStep(queue, step);
    }
  }

  private stepsOf(all: readonly Waiting<Entry, Outcome>[]): Waiting<Entry, Outcome>[][] {
    const steps: Waiting<Entry, Outcome>[][] = [];
    let room = 0;
    for (const waiting of all) {
      const weight = waiting.entries.reduce((sum, entry) => sum + this.options.weightOf(entry), 0);
      const step = steps.at(-1);
      if (step !== undefined && weight <= room) step.push(waiting);
      else {
        steps.push([waiting]);
        room = this.options.maxWeight;
      }
      room -= weight;
    }
    return steps;
  }

  private async runStep(queue: string, step: readonly Waiting<Entry, Outcome>[]): Promise<void> {
    try {
      const [only] = step;
      if (step.length === 1 && only !== undefined) {
        only.resolve(await this.options.run(queue, only.entries));
        return;
      }
      share(
        step,
        await this.options.run(
          queue,
          step.flatMap(({ entries }) => entries),
        ),
      );
    } catch (error) {
      for (const { reject } of step) reject(error);
    }
  }
}

/** Gives everybody his own outcomes. */
function share<Entry, Outcome>(step: readonly Waiting<Entry, Outcome>[], outcomes: readonly Outcome[]): void {
  let next = 0;
  for (const { entries, resolve } of step) resolve(outcomes.slice(next, (next += entries.length)));
}
