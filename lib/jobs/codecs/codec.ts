import type { WireValue } from '../../contract/index.js';
import type { Refusal } from '../wire/refusal.js';

/** How one parameter's values travel. Refusals are returned, the argument's plan turns them into named errors. */
export interface Codec {
  encode(value: unknown): WireValue | Refusal;
  /** What it returns shares nothing with `value`. */
  decode(value: WireValue): unknown;
}
