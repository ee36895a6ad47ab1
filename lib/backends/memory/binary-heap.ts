/** A priority queue: `pop` takes the item that `before` puts first, in O(log n). */
export class BinaryHeap<T> {
  readonly #before: (a: T, b: T) => boolean;
  #items: T[] = [];

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  /** In no particular order. */
  values(): readonly T[] {
    return this.#items;
  }

  /** Empties the heap and returns what it held, in no particular order. */
  drain(): readonly T[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  /** Takes one item out, wherever it is; O(n). */
  remove(item: T): boolean {
    if (!this.#items.includes(item)) return false;
    for (const other of this.drain()) if (other !== item) this.push(other);
    return true;
  }

  push(item: T): void {
    const items = this.#items;
    let index = items.length;
    items.push(item);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = items[parent] as T;
      if (!this.#before(item, above)) break;
      items[index] = above;
      index = parent;
    }
    items[index] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (items.length > 0 && last !== undefined) this.#sinkFromTop(last);
    return first;
  }

  #sinkFromTop(item: T): void {
    const items = this.#items;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= items.length) break;
      const right = child + 1;
      if (right < items.length && this.#before(items[right] as T, items[child] as T)) child = right;
      const below = items[child] as T;
      if (!this.#before(below, item)) break;
      items[index] = below;
      index = child;
    }
    items[index] = item;
  }
}
