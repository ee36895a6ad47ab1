/** More than a run of some hours pushes. */
const MOST_JOBS = 64_000_000;

/** Which numbers were pushed, and how often each was done. A byte a number, beside the heap that is measured. */
export class Ledger {
  #pushed = new Uint8Array(0);
  #done = new Uint8Array(0);
  /** Numbers whose push was answered. */
  pushed = 0;
  /** Numbers that were done once at least. */
  handled = 0;
  /** Runs beyond the first. */
  duplicates = 0;
  /** Pushes that were refused as duplicates of a unique key that was held. */
  refused = 0;
  /** Numbers whose push was rejected: nobody knows whether they are stored. */
  unknown = 0;

  push(n) {
    this.#reach(n);
    this.#pushed[n] = 1;
    this.pushed += 1;
  }

  done(n) {
    this.#reach(n);
    if (this.#done[n] === 0) this.handled += 1;
    else this.duplicates += 1;
    if (this.#done[n] < 255) this.#done[n] += 1;
  }

  /** Pushed and not done, roughly: a job may be done before its push is answered. */
  get pending() {
    return this.pushed - this.handled;
  }

  /** Numbers that were pushed and never done, and those that were done without a push that was answered. */
  get account() {
    let lost = 0;
    let unexpected = 0;
    for (let n = 0; n < this.#done.length; n += 1) {
      if (this.#pushed[n] === 1 && this.#done[n] === 0) lost += 1;
      if (this.#pushed[n] === 0 && this.#done[n] > 0) unexpected += 1;
    }
    return { lost, unexpected };
  }

  #reach(n) {
    if (n < this.#done.length) return;
    if (n >= MOST_JOBS) throw new RangeError(`Expected at most ${MOST_JOBS} jobs.`);
    const length = Math.min(MOST_JOBS, Math.max(1 << 20, 2 * (n + 1)));
    this.#pushed = grown(this.#pushed, length);
    this.#done = grown(this.#done, length);
  }
}

function grown(bytes, length) {
  const longer = new Uint8Array(length);
  longer.set(bytes);
  return longer;
}
