import 'reflect-metadata';
import type { WireValue } from '../../contract/index.js';
import { Job } from '../../jobs/index.js';

/** Seconds of the lease that `ShortLeaseNote` asks for; shorter than every lease that the suite configures. */
export const SHORT_LEASE_SECONDS = 1;
/** Seconds of the lease that `LongLeaseNote` asks for; longer than every lease that the suite configures. */
export const LONG_LEASE_SECONDS = 1_800;

/** A job that is told apart by a text. */
@Job({ name: 'conformance.note' })
export class Note {
  constructor(readonly text: string) {}

  handle(): void {}
}

/** A job that carries any value at all. */
@Job({ name: 'conformance.parcel' })
export class Parcel {
  constructor(readonly contents: WireValue) {}

  handle(): void {}
}

@Job({ name: 'conformance.short-lease', leaseSeconds: SHORT_LEASE_SECONDS })
export class ShortLeaseNote {
  constructor(readonly text: string) {}

  handle(): void {}
}

@Job({ name: 'conformance.long-lease', leaseSeconds: LONG_LEASE_SECONDS })
export class LongLeaseNote {
  constructor(readonly text: string) {}

  handle(): void {}
}

/** A job with settings of its own, which a push without options takes. */
@Job({ name: 'conformance.settled', queue: 'conformance-settled', maxAttempts: 7 })
export class NoteWithSettings {
  constructor(readonly text: string) {}

  handle(): void {}
}

/** No job: `@Job()` is missing. */
export class NoJob {
  handle(): void {}
}
