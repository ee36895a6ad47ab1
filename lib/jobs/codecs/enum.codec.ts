import type { WireValue } from '../../contract/index.js';
import { Refusal } from '../wire/refusal.js';
import type { Codec } from './codec.js';

/** An enum as a value, or a constant object used like one. */
export type EnumObject = { readonly [member: string]: string | number };

/** For an enum's members: they travel as their values. null passes, for `Status | null`. */
export function enumCodec(enumeration: EnumObject): Codec {
  const members: ReadonlySet<unknown> = new Set(enumMembers(enumeration));
  const check = (value: unknown): WireValue | Refusal =>
    value === null || members.has(value)
      ? ((Object.is(value, -0) ? 0 : value) as WireValue)
      : new Refusal(`a value that is none of the ${members.size} members of its enum`);
  return { encode: check, decode: check };
}

/** Whether an object can be an enum: at least one entry, strings and numbers only. */
export function isEnumObject(value: unknown): value is EnumObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.values(value);
  return (
    entries.length > 0 &&
    entries.every((entry) => typeof entry === 'string' || Number.isFinite(entry as number))
  );
}

/** The values, without the reverse mapping (`Color[0] === 'Red'`) that TypeScript adds for numbers. */
function enumMembers(enumeration: EnumObject): (string | number)[] {
  return Object.entries(enumeration)
    .filter(([name, value]) => !(String(Number(name)) === name && enumeration[value] === Number(name)))
    .map(([, value]) => value);
}
