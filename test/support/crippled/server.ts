import { OutcomeUnknown, ServerRefused, type StoreOutcome } from '../../../lib/contract/index.js';

/** What becomes of an entry whose request went wrong. */
export type Answer = Extract<StoreOutcome, { readonly error: Error }>;

/** The way to a server that can be told to go wrong, once, at the next request. */
export class Server {
  readonly #batchSize: number;
  #silence: 'request' | 'answer' | null = null;
  #refuses: number | null = null;

  constructor(batchSize: number) {
    this.#batchSize = batchSize;
  }

  /** The next request is lost on its way, or its answer is. */
  silence(lost: 'request' | 'answer'): void {
    this.#silence = lost;
  }

  /** The entry at this place of the next request is refused; the others are not. */
  refuse(entry: number): void {
    this.#refuses = entry;
  }

  /** Sends entries in requests as large as the server takes, and answers for each of them. */
  async send<T, A extends { readonly status: string }>(
    entries: readonly T[],
    apply: (entry: T) => Promise<A>,
  ): Promise<(A | Answer)[]> {
    const answers: (A | Answer)[] = [];
    for (let from = 0; from < entries.length; from += this.#batchSize) {
      answers.push(...(await this.#request(entries.slice(from, from + this.#batchSize), apply)));
    }
    return answers;
  }

  async #request<T, A extends { readonly status: string }>(
    entries: readonly T[],
    apply: (entry: T) => Promise<A>,
  ): Promise<(A | Answer)[]> {
    const silence = this.#silence;
    const refused = this.#refuses;
    this.#silence = null;
    this.#refuses = null;
    const answers: (A | Answer)[] = [];
    for (const [index, entry] of entries.entries()) {
      if (refused === index) answers.push({ status: 'refused', error: new ServerRefused('Throttled.') });
      else if (silence === 'request') answers.push(unanswered());
      else answers.push(await apply(entry));
    }
    return silence === 'answer' ? entries.map(unanswered) : answers;
  }
}

function unanswered(): Answer {
  return { status: 'unknown', error: new OutcomeUnknown('No answer came.') };
}
