import type { ReconstructionReason } from '../../contract/index.js';

/**
 * Why a value has no wire form, or a wire value does not fit its parameter. A value, not an error: the way to the
 * place is put together while the check returns, so that a check that finds nothing allocates nothing.
 */
export class Refusal {
  /** `[3].{0}`: list indexes, and ordinals of an object's entries; never a key, which is application data. */
  place = '';

  constructor(
    /** What was expected or found, in words that hold no value. */
    readonly problem: string,
    /** What to do about it. */
    readonly mend: string | null = null,
    readonly reason: ReconstructionReason = 'argument-refused',
  ) {}

  within(step: string): this {
    this.place = step + this.place;
    return this;
  }
}
