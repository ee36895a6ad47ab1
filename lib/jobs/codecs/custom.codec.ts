import type { WireValue } from '../../contract/index.js';
import type { ArgCodec } from '../arg-codec.js';
import { Refusal } from '../wire/refusal.js';
import type { Codec } from './codec.js';
import { decodePlain, encodePlain } from './plain.codec.js';

/**
 * For `@Arg(codec)`. What the codec's own errors say is not repeated and they are no cause: they may quote the value.
 */
export function customCodec(codec: ArgCodec<unknown>): Codec {
  return {
    encode(value: unknown): WireValue | Refusal {
      let encoded: unknown;
      try {
        encoded = codec.encode(value);
      } catch (error) {
        return new Refusal(`a value that its codec did not encode (${errorName(error)})`);
      }
      const checked = encodePlain(encoded);
      return checked instanceof Refusal
        ? new Refusal(
            `a value that its codec encodes to ${checked.problem}`,
            'Encode to a wire value, synchronously.',
          )
        : checked;
    },
    decode(value: WireValue): unknown {
      const copy = decodePlain(value);
      if (copy instanceof Refusal) return copy;
      try {
        return codec.decode(copy);
      } catch (error) {
        return new Refusal(`a value that its codec did not decode (${errorName(error)})`);
      }
    },
  };
}

export function isArgCodec(value: unknown): value is ArgCodec<unknown> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return (
    typeof Reflect.get(value, 'encode') === 'function' && typeof Reflect.get(value, 'decode') === 'function'
  );
}

/** The class of an error, which is code; never its message, which may be data. */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) return 'it threw no Error';
  const { name } = error.constructor;
  return name === '' ? 'an Error' : name;
}
