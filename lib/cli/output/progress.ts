import { setTimeout as pause } from 'node:timers/promises';
import { formatCount } from './format.js';
import type { Terminal } from './terminal.js';

const BAR_WIDTH = 24;
/** To the start of the line, and nothing on it. */
const CLEARED = '\r\x1b[2K';
/** A bar that is drawn more often than this is not seen to move. */
const REDRAWN_AFTER_MS = 100;
const POLLED_AFTER_MS = 500;

/** How far long work has come: a bar on a terminal, elsewhere a line for each tenth. */
export class Progress {
  #tenth = 0;
  #drawnAtMs = -Infinity;

  constructor(
    private readonly terminal: Terminal,
    /** What is worked on, such as a queue. */
    private readonly label: string,
    private readonly total: number,
  ) {}

  /** So many are done by now. */
  at(done: number): void {
    if (this.total <= 0) return;
    const part = Math.min(1, Math.max(0, done) / this.total);
    const text = `${formatCount(Math.min(done, this.total))} of ${formatCount(this.total)} (${Math.floor(part * 100)} %)`;
    if (this.terminal.err.isTTY === true) this.#draw(part, text);
    else this.#line(part, text);
  }

  /** Takes the bar away; lines stay. */
  end(): void {
    if (this.terminal.err.isTTY === true && this.#drawnAtMs > -Infinity) this.terminal.err.write(CLEARED);
  }

  /** Asks how much is left, again and again, until the work has ended. */
  async while<Result>(work: Promise<Result>, left: () => Promise<number | null>): Promise<Result> {
    const ended = new AbortController();
    const polling = this.#poll(left, ended.signal);
    try {
      return await work;
    } finally {
      ended.abort();
      await polling;
      this.end();
    }
  }

  async #poll(left: () => Promise<number | null>, ended: AbortSignal): Promise<void> {
    try {
      for (;;) {
        await pause(POLLED_AFTER_MS, undefined, { signal: ended });
        const count = await left();
        if (count !== null && !ended.aborted) this.at(this.total - count);
      }
    } catch {
      // The work has ended; or the server cannot be asked, which the work itself will say.
    }
  }

  #draw(part: number, text: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#drawnAtMs < REDRAWN_AFTER_MS && part < 1) return;
    this.#drawnAtMs = nowMs;
    const filled = Math.round(part * BAR_WIDTH);
    const bar = '#'.repeat(filled) + '-'.repeat(BAR_WIDTH - filled);
    this.terminal.err.write(`${CLEARED}${this.label} [${bar}] ${text}`);
  }

  #line(part: number, text: string): void {
    const tenth = Math.floor(part * 10);
    if (tenth <= this.#tenth) return;
    this.#tenth = tenth;
    this.terminal.note(`${this.label}: ${text}`);
  }
}
