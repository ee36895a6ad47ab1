import type { WireValue } from '../../contract/index.js';
import { MAX_WIRE_LEVELS } from './check-wire-value.js';

/**
 * A copy that shares no array and no object with `value`; −0 becomes 0. undefined when the value is none that a push
 * could have made: nested too deep, a number beyond JSON's range, no JSON at all.
 */
export function copyWireValue(value: unknown, level = 0): WireValue | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) return undefined;
      return value === 0 ? 0 : value;
    case 'object':
      if (value === null) return null;
      if (level === MAX_WIRE_LEVELS) return undefined;
      return Array.isArray(value) ? copyArray(value, level + 1) : copyObject(value, level + 1);
    default:
      return undefined;
  }
}

function copyArray(array: readonly unknown[], level: number): WireValue | undefined {
  const copy: WireValue[] = [];
  for (const element of array) {
    const copied = copyWireValue(element, level);
    if (copied === undefined) return undefined;
    copy.push(copied);
  }
  return copy;
}

function copyObject(object: object, level: number): WireValue | undefined {
  const copy: { [key: string]: WireValue } = {};
  for (const key of Object.keys(object)) {
    const copied = copyWireValue(Reflect.get(object, key), level);
    if (copied === undefined) return undefined;
    putOwn(copy, key, copied);
  }
  return copy;
}

/** Sets an own data property under any key: plain assignment of `__proto__` would change the prototype. */
export function putOwn<V>(object: { [key: string]: V }, key: string, value: V): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}
