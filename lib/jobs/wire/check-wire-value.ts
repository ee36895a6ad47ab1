import { types } from 'node:util';
import { isPlainArray, isPlainObject } from './plain-object.js';
import { Refusal } from './refusal.js';

/** How many arrays and objects may be nested in each other. */
export const MAX_WIRE_LEVELS = 32;

/** The value is fine but for a −0 somewhere, which is stored as 0. */
export const HOLDS_NEGATIVE_ZERO = Symbol('holds -0');

/** null: JSON carries the value and gives it back equal. */
export type WireCheck = null | typeof HOLDS_NEGATIVE_ZERO | Refusal;

const CODEC_MEND =
  'Pass what identifies it (an id, a plain object), or give the parameter a codec with @Arg(codec).';
const DATE_MEND =
  'A Date as a whole argument travels when its parameter is a Date or has @Arg(Date); inside a value pass ' +
  'toISOString(), or give the parameter a codec with @Arg(codec).';

const GETTER_MEND = 'Pass its value.';

/** Checks a value of any kind. Reads data properties only: no getter and no toJSON is ever called. */
export function checkWireValue(value: unknown, level = 0): WireCheck {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? null : new Refusal('text that holds a lone surrogate');
    case 'number':
      return checkNumber(value);
    case 'boolean':
      return null;
    case 'object':
      if (value === null) return null;
      return checkContainer(value, level + 1);
    case 'undefined':
      return new Refusal('undefined', 'Leave the entry out or pass null.');
    case 'bigint':
      return new Refusal('a bigint', 'Pass it as a string, or give the parameter a codec with @Arg(codec).');
    default:
      return new Refusal(`a ${typeof value}`, CODEC_MEND);
  }
}

function checkNumber(value: number): WireCheck {
  if (!Number.isFinite(value)) return new Refusal('NaN or an infinity');
  return Object.is(value, -0) ? HOLDS_NEGATIVE_ZERO : null;
}

function checkContainer(value: object, level: number): WireCheck {
  if (level > MAX_WIRE_LEVELS) {
    return new Refusal(`a value nested deeper than ${MAX_WIRE_LEVELS} levels, or a cycle`);
  }
  if (Array.isArray(value)) {
    return isPlainArray(value)
      ? checkArray(value, level)
      : new Refusal('an instance of a subclass of Array', CODEC_MEND);
  }
  if (isPlainObject(value)) return checkObject(value, level);
  return types.isDate(value)
    ? new Refusal('a Date', DATE_MEND)
    : new Refusal('an instance of a class', CODEC_MEND);
}

/** A third of the cost of a property descriptor, which on arrays is what a check would mostly spend. */
// oxlint-disable-next-line typescript/unbound-method -- called on each array
const getterOf = Reflect.get(Object.prototype, '__lookupGetter__') as (this: object, key: number) => unknown;

function checkArray(array: readonly unknown[], level: number): WireCheck {
  let outcome: WireCheck = null;
  for (let index = 0; index < array.length; index += 1) {
    const checked =
      getterOf.call(array, index) === undefined
        ? checkElement(array, index, level)
        : new Refusal('an accessor', GETTER_MEND);
    if (checked === null) continue;
    if (checked instanceof Refusal) return checked.within(`[${index}]`);
    outcome = checked;
  }
  if (Object.keys(array).length !== array.length) {
    return new Refusal('an array with properties of its own', 'Pass an object that holds both.');
  }
  return checkRest(array) ?? outcome;
}

function checkElement(array: readonly unknown[], index: number, level: number): WireCheck {
  const value = array[index];
  if (value === undefined && !Object.hasOwn(array, index))
    return new Refusal('a hole in an array', 'Fill it with null.');
  return checkWireValue(value, level);
}

function checkObject(object: object, level: number): WireCheck {
  let outcome: WireCheck = null;
  let ordinal = 0;
  // Not Reflect.ownKeys, which takes twenty times as long.
  for (const key of Object.getOwnPropertyNames(object)) {
    const checked = checkEntry(object, key, level);
    if (checked instanceof Refusal) return checked.within(`.{${ordinal}}`);
    outcome = checked ?? outcome;
    ordinal += 1;
  }
  return checkRest(object) ?? outcome;
}

function checkEntry(object: object, key: string, level: number): WireCheck {
  if (!key.isWellFormed()) return new Refusal('a key that holds a lone surrogate');
  const entry = Object.getOwnPropertyDescriptor(object, key);
  if (entry === undefined || !('value' in entry)) return new Refusal('an accessor', GETTER_MEND);
  if (entry.enumerable !== true)
    return new Refusal('a hidden property', 'Make it enumerable or leave it out.');
  return checkWireValue(entry.value, level);
}

function checkRest(container: object): Refusal | null {
  if (Object.getOwnPropertySymbols(container).length > 0) return new Refusal('a symbol as a key');
  return callsToJson(container);
}

/** A toJSON would replace the value; an own one is a function and refused as such, this finds an inherited one. */
function callsToJson(value: object): Refusal | null {
  return typeof (value as { readonly toJSON?: unknown }).toJSON === 'function'
    ? new Refusal('a value with toJSON', 'Pass what it returns.')
    : null;
}
