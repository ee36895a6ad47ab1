import { openSync, writeSync } from 'node:fs';

/** One line of the ledger: what happened to which job in which process. */
export interface LedgerLine {
  readonly event: string;
  readonly pid: number;
  readonly id?: string;
  readonly n?: number;
  readonly attempt?: number;
  readonly [more: string]: unknown;
}

/** Appends what happened to a file that outlives the process; each line is one write, so a kill cannot tear it. */
export class Ledger {
  readonly #fd: number;

  constructor(file: string) {
    this.#fd = openSync(file, 'a');
  }

  write(event: string, more: Omit<LedgerLine, 'event' | 'pid'> = {}): void {
    writeSync(this.#fd, `${JSON.stringify({ event, pid: process.pid, ...more })}\n`);
  }
}
