import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import type { LedgerLine } from './apps/ledger.js';
import { waitFor } from './eventually.js';

const CHUNK_BYTES = 1 << 20;

/** Reads a ledger as it grows, each line once. */
export class LedgerReader {
  readonly #lines: LedgerLine[] = [];
  readonly #counts = new Map<string, number>();
  #offset = 0;
  #rest = '';

  constructor(private readonly file: string) {}

  /** Every line so far, in the order in which they were written. */
  lines(): readonly LedgerLine[] {
    if (existsSync(this.file)) this.#readOn();
    return this.#lines;
  }

  of(event: string): readonly LedgerLine[] {
    return this.lines().filter((line) => line.event === event);
  }

  /** How many lines of an event there are so far. */
  count(event: string): number {
    this.lines();
    return this.#counts.get(event) ?? 0;
  }

  async seen(event: string, count: number, deadlineMs?: number): Promise<void> {
    await waitFor(`${count} × ${event}`, () => this.count(event) >= count, deadlineMs);
  }

  #readOn(): void {
    const fd = openSync(this.file, 'r');
    try {
      const buffer = Buffer.alloc(CHUNK_BYTES);
      for (;;) {
        const length = readSync(fd, buffer, 0, CHUNK_BYTES, this.#offset);
        if (length === 0) return;
        this.#offset += length;
        this.#take(buffer.toString('utf8', 0, length));
      }
    } finally {
      closeSync(fd);
    }
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const parsed = JSON.parse(line) as LedgerLine;
      this.#lines.push(parsed);
      this.#counts.set(parsed.event, (this.#counts.get(parsed.event) ?? 0) + 1);
    }
  }
}
