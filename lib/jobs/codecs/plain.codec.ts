import type { WireValue } from '../../contract/index.js';
import { checkWireValue } from '../wire/check-wire-value.js';
import { copyWireValue } from '../wire/copy-wire-value.js';
import { Refusal } from '../wire/refusal.js';
import type { Codec } from './codec.js';

/** For parameters of which nothing is known: any wire value. */
export const plainCodec: Codec = { encode: encodePlain, decode: decodePlain };

/**
 * The value itself when JSON carries it: it becomes text at once, so that no copy is needed. Only a −0 makes one.
 */
export function encodePlain(value: unknown): WireValue | Refusal {
  const checked = checkWireValue(value);
  if (checked === null) return value as WireValue;
  return checked instanceof Refusal ? checked : (copyWireValue(value) ?? new Refusal('no wire value'));
}

/** A copy, so that a job that changes its arguments changes nothing of the delivery. */
export function decodePlain(value: WireValue): WireValue | Refusal {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  const copy = copyWireValue(value);
  return copy === undefined ? new Refusal('a value that no push could have stored') : copy;
}
