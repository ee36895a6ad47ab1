/**
 * True for `{}` of any realm (Jest gives tests one of their own) and for objects without a prototype. Decided by the
 * prototype, never by a `constructor` key, which is data.
 */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  return isRootPrototype(prototype as object);
}

/** True for an array of any realm, not for a subclass of Array. */
export function isPlainArray(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Array.prototype) return true;
  return (
    Array.isArray(prototype) &&
    Object.hasOwn(prototype, 'flatMap') &&
    isRootPrototype(Object.getPrototypeOf(prototype) as object)
  );
}

function isRootPrototype(prototype: object): boolean {
  return (
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype, 'isPrototypeOf') &&
    Object.hasOwn(prototype, 'propertyIsEnumerable')
  );
}
