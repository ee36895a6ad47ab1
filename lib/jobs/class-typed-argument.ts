/** How the instances of a class that TypeScript emitted for an argument relate to what a push can carry. */
export type ClassFit =
  /** Nothing is known of what comes: an interface, a union, a list, a function, an import type. */
  | 'unknown'
  /** Instances are refused, but a plain object of the same shape fits the type, and travels. */
  | 'plain-object'
  /** Nothing that fits the type has a wire form. */
  | 'none';

/** Types without methods to tell by, no value of which JSON carries. */
const NEVER_WIRE: ReadonlySet<unknown> = new Set([BigInt, Symbol]);

/** Reads it off the class's methods: TypeScript asks a plain object for each, and no wire value has one. */
export function classFit(type: unknown): ClassFit {
  if (typeof type !== 'function') return 'unknown';
  if (NEVER_WIRE.has(type)) return 'none';
  const prototype: unknown = type.prototype;
  if (typeof prototype !== 'object' || prototype === null || isRoot(prototype)) return 'unknown';
  return hasMethods(prototype) ? 'none' : 'plain-object';
}

/** The prototype of Array or Object, of any realm (Jest gives tests one of their own). */
function isRoot(prototype: object): boolean {
  return Array.isArray(prototype) || Object.getPrototypeOf(prototype) === null;
}

function hasMethods(prototype: object): boolean {
  let level = prototype;
  while (!isRoot(level)) {
    if (Object.getOwnPropertyNames(level).some((name) => isMethod(level, name))) return true;
    level = Object.getPrototypeOf(level) as object;
  }
  return false;
}

/** `toString()` and its like do not count: a plain object has them too. */
function isMethod(prototype: object, name: string): boolean {
  return (
    !(name in Object.prototype) &&
    typeof Object.getOwnPropertyDescriptor(prototype, name)?.value === 'function'
  );
}
