/** An entry on its way into a batch. */
interface Waiting<Entry, Outcome> {
  readonly entry: Entry;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes batches of the entries that come together, or while another batch is in flight. An entry that comes alone goes at
 * once, and so does a batch that is full: nothing is held back by a timer.
 */
export class BatchLine<Entry, Outcome> {
  private waiting: Waiting<Entry, Outcome>[] = [];
  private inFlight = 0;

  constructor(
    private readonly maxEntries: number,
    /** Sends one batch; answers in order. */
    private readonly send: (entries: readonly Entry[]) => Promise<readonly Outcome[]>,
  ) {}

  add(entry: Entry): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ entry, resolve, reject });
      // What the same step of the program adds goes along.
      if (this.waiting.length === 1) queueMicrotask(() => this.pump());
      else if (this.waiting.length >= this.maxEntries) this.pump();
    });
  }

  private pump(): void {
    while (this.waiting.length >= this.maxEntries || (this.waiting.length > 0 && this.inFlight === 0)) {
      void this.run(this.waiting.splice(0, this.maxEntries));
    }
  }

  private async run(batch: readonly Waiting<Entry, Outcome>[]): Promise<void> {
    this.inFlight += 1;
    try {
      const outcomes = await this.send(batch.map(({ entry }) => entry));
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.inFlight -= 1;
    this.pump();
  }
}
