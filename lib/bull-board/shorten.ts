import type { WireValue } from '../contract/index.js';

/** How many times the longest text a whole value may have. */
const TEXTS = 10;
/** What a value that is no text counts for, with what surrounds it. */
const PLAIN_LENGTH = 8;

/**
 * A copy of what a job carries that is short enough to look at: texts are cut at `maxTextLength` characters, lists and
 * objects where the whole has become ten times as long, and each place where something is left out says so.
 */
export function shorten(value: unknown, maxTextLength: number): WireValue {
  return new Shortener(maxTextLength).copy(value);
}

/** A text cut at `maxLength`, with its whole length behind it. */
export function shortText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength).toWellFormed()}… (${text.length} characters)`;
}

class Shortener {
  readonly #maxTextLength: number;
  #left: number;

  constructor(maxTextLength: number) {
    this.#maxTextLength = maxTextLength;
    this.#left = maxTextLength * TEXTS;
  }

  copy(value: unknown): WireValue {
    if (typeof value === 'string') {
      const text = shortText(value, Math.min(this.#maxTextLength, Math.max(this.#left, 0)));
      this.#left -= text.length + PLAIN_LENGTH;
      return text;
    }
    this.#left -= PLAIN_LENGTH;
    if (Array.isArray(value)) return this.#copyList(value);
    if (typeof value === 'object' && value !== null) return this.#copyObject(value);
    return typeof value === 'number' || typeof value === 'boolean' ? value : null;
  }

  #copyList(list: readonly unknown[]): WireValue {
    const copy: WireValue[] = [];
    for (const element of list) {
      if (this.#left <= 0) {
        copy.push(`… (${list.length - copy.length} more)`);
        break;
      }
      copy.push(this.copy(element));
    }
    return copy;
  }

  #copyObject(object: object): WireValue {
    const entries: [string, WireValue][] = [];
    const keys = Object.keys(object);
    for (const key of keys) {
      if (this.#left <= 0) {
        entries.push(['…', `(${keys.length - entries.length} more)`]);
        break;
      }
      const shown = shortText(key, this.#maxTextLength);
      this.#left -= shown.length;
      entries.push([shown, this.copy(Reflect.get(object, key))]);
    }
    // fromEntries makes own properties under any name, `__proto__` too.
    return Object.fromEntries(entries);
  }
}
