const BUILT_IN: ReadonlySet<unknown> = new Set([
  String,
  Number,
  Boolean,
  Symbol,
  BigInt,
  Array,
  Date,
  Map,
  Set,
  WeakMap,
  WeakSet,
  Promise,
  RegExp,
  Error,
  ArrayBuffer,
  Uint8Array,
  Buffer,
  AbortSignal,
]);

/** Why the type that TypeScript emitted for a parameter names no provider; null when it is a class. */
export function refuseEmittedType(type: unknown, injectOption: string): string | null {
  const nameIt = `name the provider with @Inject(token) or ${injectOption}`;
  if (type === Object) {
    return (
      'its type is an interface, a union, any or unknown, or a class that was not there yet when this file was ' +
      `loaded (import type, a circular import). Import a class as a value and use it as the type, or ${nameIt}.`
    );
  }
  if (type === Function) {
    return `its type is a function or was imported with import type. Import the class as a value, or ${nameIt}.`;
  }
  if (BUILT_IN.has(type)) {
    const { name } = type as { readonly name: string };
    return `its type is ${name}, which nothing provides. Pass values to the job's constructor, or ${nameIt}.`;
  }
  if (type === undefined || type === null) {
    return `its type is undefined, void or null, or the class of a circular import. Use @Inject(forwardRef(() => Class)), or ${nameIt}.`;
  }
  if (typeof type !== 'function')
    return `its type is an enum or a value, not a class. To get a provider, ${nameIt}.`;
  return null;
}
