import type { WireValue } from '../../contract/index.js';
import { kindOf } from '../wire/kind-of.js';
import { Refusal } from '../wire/refusal.js';
import type { Codec } from './codec.js';
import { encodePlain } from './plain.codec.js';

type Primitive = 'string' | 'number' | 'boolean';

/**
 * For parameters that TypeScript emitted as String, Number or Boolean. null passes: without strictNullChecks
 * `string | null` is emitted as String as well.
 */
function primitiveCodec(primitive: Primitive): Codec {
  const misfit = (value: unknown): Refusal =>
    new Refusal(`${kindOf(value)} where a ${primitive} is expected`, null, 'argument-type');
  return {
    encode: (value) => (typeof value === primitive || value === null ? encodePlain(value) : misfit(value)),
    decode: (value: WireValue) => {
      if (typeof value !== primitive && value !== null) return misfit(value);
      if (typeof value === 'number') return decodeNumber(value);
      return value;
    },
  };
}

function decodeNumber(value: number): number | Refusal {
  // JSON.parse makes Infinity of 1e400.
  if (!Number.isFinite(value)) return new Refusal('a number beyond the range of doubles');
  return value === 0 ? 0 : value;
}

export const stringCodec = primitiveCodec('string');
export const numberCodec = primitiveCodec('number');
export const booleanCodec = primitiveCodec('boolean');
