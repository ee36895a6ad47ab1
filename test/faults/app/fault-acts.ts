import { Injectable } from '@nestjs/common';
import { LedgerWriter } from '../ledger/ledger-writer.js';
import { faultVariable } from './fault-environment.js';
import { firstTimes } from './once.js';

const EXITS = 2;

/** What jobs do to the process that runs them. Each is written before it is done. */
@Injectable()
export class FaultActs {
  readonly #folder = faultVariable('FAULT_FOLDER');
  readonly #blockMs = Number(faultVariable('FAULT_BLOCK_MS'));
  #number = 0;

  constructor(private readonly ledger: LedgerWriter) {}

  die(job: number): void {
    if (!firstTimes(this.#folder, `dies-${job}`, 1)) return;
    this.#fault('killed');
    process.kill(process.pid, 'SIGKILL');
  }

  exit(job: number): void {
    if (!firstTimes(this.#folder, `exits-${job}`, EXITS)) return;
    this.#fault('exited');
    process.exit(3);
  }

  block(job: number): void {
    if (!firstTimes(this.#folder, `blocks-${job}`, 1)) return;
    const number = this.#fault('blocked');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, this.#blockMs);
    this.ledger.write({ kind: 'healed', number });
  }

  #fault(fault: 'killed' | 'exited' | 'blocked'): number {
    this.#number += 1;
    this.ledger.write({ kind: 'fault', fault, of: this.ledger.name, number: this.#number });
    return this.#number;
  }
}
