import { JobReconstructionException, UnserializableJobException, type WireValue } from '../contract/index.js';
import type { Codec } from './codecs/codec.js';
import type { ArgumentPlan } from './job-definition.js';
import { Refusal } from './wire/refusal.js';

/** How messages call what a value belongs to. */
export interface PlanSubject {
  /** Where it is declared: `Job class SendMail`. */
  readonly declared: string;
  /** Where it is pushed or rebuilt: `Job SendMail`. */
  readonly pushed: string;
  /** The option that names properties by hand; null where there is none. */
  readonly argsOption: '@Job({ args })' | null;
}

/** `name`: the name on the wire. */
export function jobSubject(target: Function, name: string): PlanSubject {
  return {
    declared: `Job class ${target.name}`,
    pushed: `Job ${name}`,
    argsOption: '@Job({ args })',
  };
}

/** A value that is told of by this name. */
export interface NamedValue {
  readonly name: string;
  readonly sensitive: boolean;
  /** Whose parameter takes it. */
  readonly of: 'constructor' | 'method';
  /** Instead of what the codec advises, where that would not help here. */
  readonly mend?: string;
}

const WIRE_MEND = 'Push plain values, such as ids, or give the parameter a codec, @Arg(...).';
const REBUILD_MEND = 'Give the parameter a codec that reads what older code pushed, @Arg(...).';

/** To the wire and back, with refusals as errors that name the value's place and never the value. */
export function planValue(
  { pushed }: PlanSubject,
  value: NamedValue,
  codec: Codec,
): Pick<ArgumentPlan, 'encode' | 'decode'> {
  return { encode: encoder(pushed, value, codec), decode: decoder(pushed, value, codec) };
}

function encoder(
  subject: string,
  { name, sensitive, mend }: NamedValue,
  codec: Codec,
): ArgumentPlan['encode'] {
  return (value) => {
    let encoded;
    try {
      encoded = codec.encode(value);
    } catch (error) {
      // A value of several parts has said already which of them it is.
      if (error instanceof UnserializableJobException && !sensitive) throw error;
      // A proxy or an inherited getter; what it says may be data.
      encoded = new Refusal('a value that throws when it is read');
    }
    if (!(encoded instanceof Refusal)) return encoded;
    const { place, problem } = encoded;
    throw new UnserializableJobException(
      sensitive
        ? `${subject}: argument "${name}" has no wire form. It is sensitive: what came is not told. ${mend ?? WIRE_MEND}`
        : `${subject}: argument "${name}" has no wire form: ${name}${place} is ${problem}. ` +
            (mend ?? encoded.mend ?? WIRE_MEND),
    );
  };
}

function decoder(
  subject: string,
  { name, sensitive, of, mend }: NamedValue,
  codec: Codec,
): ArgumentPlan['decode'] {
  const decodeValue = (value: WireValue): unknown => {
    try {
      return codec.decode(value);
    } catch (error) {
      // A value of several parts has said already which of them it is.
      if (!(error instanceof JobReconstructionException) || !sensitive) throw error;
      return new Refusal('a value that its class does not take', null, error.reason);
    }
  };
  return (value) => {
    const decoded = decodeValue(value);
    if (!(decoded instanceof Refusal)) return decoded;
    const { place, problem, reason } = decoded;
    throw new JobReconstructionException(
      reason,
      `${subject}: the stored argument "${name}" does not fit today's ${of}` +
        (sensitive ? '; it is sensitive: what came is not told.' : `: ${name}${place} is ${problem}.`) +
        ` ${mend ?? REBUILD_MEND}`,
    );
  };
}
