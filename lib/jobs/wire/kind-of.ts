import { types } from 'node:util';

/** What a value is, without a single character of it: unlike numbers in a log, a payload may be a secret. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return types.isDate(value) ? 'a Date' : 'an object';
  if (typeof value === 'number') return Number.isFinite(value) ? 'a number' : 'NaN or an infinity';
  return `a ${typeof value}`;
}
