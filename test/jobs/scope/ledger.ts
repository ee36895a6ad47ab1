/** Writes down what is made and disposed, by the name of a class. */
export class Ledger {
  readonly made: string[] = [];
  readonly disposed: string[] = [];

  clear(): void {
    this.made.length = 0;
    this.disposed.length = 0;
  }
}

/** The ledger of the test that runs; providers of a file share it. */
export const ledger = new Ledger();

/** Writes itself down when it is made and when it is disposed. */
export abstract class Recorded {
  constructor() {
    ledger.made.push(this.constructor.name);
  }

  [Symbol.dispose](): void {
    ledger.disposed.push(this.constructor.name);
  }
}
