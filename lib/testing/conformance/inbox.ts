import assert from 'node:assert/strict';

/** What comes by itself, to be waited for. */
export class Inbox<T> {
  readonly #patienceMs: number;
  readonly #items: T[] = [];
  #end: Error | null = null;
  #wake: () => void = () => undefined;

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  get size(): number {
    return this.#items.length;
  }

  put(item: T): void {
    this.#items.push(item);
    this.#wake();
  }

  end(error: Error): void {
    this.#end = error;
    this.#wake();
  }

  async next(): Promise<T> {
    await this.#until(() => this.#items.length > 0, 'an item');
    return this.#items.shift() as T;
  }

  async ended(): Promise<Error> {
    await this.#until(() => this.#end !== null, 'the end of the consumer');
    return this.#end as Error;
  }

  async #until(there: () => boolean, what: string): Promise<void> {
    const deadline = performance.now() + this.#patienceMs;
    while (!there()) {
      const leftMs = deadline - performance.now();
      assert.ok(leftMs > 0, `expected ${what}, nothing came`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}
