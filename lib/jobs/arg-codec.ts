import type { WireValue } from '../contract/index.js';

/**
 * Carries a constructor argument that JSON cannot: `encode` at the push, `decode` at the rebuild. Both are synchronous;
 * `decode` refuses a value by throwing. It is given null too when null is pushed. A class with these two as static
 * methods is one as well.
 *
 * @publicApi
 */
export interface ArgCodec<T> {
  /** What it returns must be a wire value: null, boolean, finite number, string, arrays and plain objects of those. */
  encode(value: T): WireValue;
  decode(value: WireValue): T;
}
