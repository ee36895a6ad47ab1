/**
 * Says what came without giving away data: numbers and booleans as they are, a short name-like string quoted, of all
 * else only the kind.
 */
export function describe(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'string') return describeString(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'function') return value.name === '' ? 'a function' : `the function ${value.name}`;
  if (typeof value !== 'object') return `a ${typeof value}`;
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  return typeof name === 'string' && name !== 'Object' && name !== '' ? `a ${name}` : 'an object';
}

function describeString(value: string): string {
  if (value === '') return 'an empty string';
  // An address may hold a password.
  if (value.includes('://')) return 'an address';
  if (value.length > 100) return `a string of ${value.length} characters`;
  return JSON.stringify(value);
}
