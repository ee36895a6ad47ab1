import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { NewEntry } from './entries.js';

/** Microseconds of the monotonic clock, the same for every process of this machine. */
export function nowUs(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

/**
 * Appends what one process saw to a file of its own in the trial's folder. Each entry is one write to the kernel, so that
 * what was written stands whatever becomes of the process.
 */
export class LedgerWriter {
  readonly #fd: number;

  constructor(
    folder: string,
    readonly name: string,
  ) {
    this.#fd = openSync(join(folder, `${name}.ledger`), 'a');
  }

  write(entry: NewEntry): void {
    writeSync(this.#fd, `${JSON.stringify({ atUs: nowUs(), process: this.name, ...entry })}\n`);
  }
}
