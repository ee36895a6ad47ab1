/** `this` handed to something else, or indexed: what properties come of it cannot be seen. */
const HANDS_THIS_ON = /\bthis\s*[,)[]/;
const NATIVE = /\{\s*\[native code\]\s*\}\s*$/;

/**
 * Whether instances of a class can have a property of that name. False only where that is certain: neither the
 * prototypes nor the text of any class in the chain knows the name.
 */
export function mayBeProperty(target: Function, name: string): boolean {
  if (name in (target.prototype as object)) return true;
  for (let owner: unknown = target; typeof owner === 'function'; owner = Object.getPrototypeOf(owner)) {
    if (owner === Function.prototype) break;
    const text = Function.prototype.toString.call(owner);
    if (text.includes(name) || HANDS_THIS_ON.test(text) || NATIVE.test(text)) return true;
  }
  return false;
}
