import type { ReconstructionReason } from '../../contract/index.js';

/** How many steps to a place are shown. */
const MAX_STEPS = 8;

/**
 * Why a value has no wire form, or a wire value does not fit its parameter. A value, not an error: the way to the
 * place is put together while the check returns, so that a check that finds nothing allocates nothing.
 */
export class Refusal {
  /** From the innermost outwards. */
  readonly #steps: string[] = [];

  constructor(
    /** What was expected or found, in words that hold no value. */
    readonly problem: string,
    /** What to do about it. */
    readonly mend: string | null = null,
    readonly reason: ReconstructionReason = 'argument-refused',
  ) {}

  /**
   * `[3].{0}`: list indexes, and ordinals of an object's entries; never a key, which is application data. Where it is
   * long, as in a cycle, the middle is left out.
   */
  get place(): string {
    const steps = this.#steps.toReversed();
    if (steps.length <= MAX_STEPS) return steps.join('');
    return `${steps.slice(0, 3).join('')}…${steps.slice(-2).join('')}`;
  }

  within(step: string): this {
    this.#steps.push(step);
    return this;
  }
}
